import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { type AdminCache, createAdminCache, MAX_ENTRIES } from "./admin-cache.ts";
import { LIST_LIFETIME_MS, MODELS_LIFETIME_MS } from "./freshness.ts";
import { createQueryClient } from "./query-client.ts";

const FIVE_MINUTES_MS = 300_000;
const listKey = (resource: string | number) => ["data", "default", String(resource), "list", {}];
const MODELS = ["data", "default", "models", "list", {}];

let client: QueryClient;
let cache: AdminCache;
let close: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  client = createQueryClient();
  cache = createAdminCache(client);
  close = cache.open();
});
afterEach(() => {
  close();
  client.clear();
  jest.useRealTimers();
});

/** Somebody looks at a list; gives the way to leave it. */
async function look(queryKey: readonly unknown[], queryFn = async (): Promise<unknown> => []) {
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  await jest.advanceTimersByTimeAsync(0);
  return leave;
}
const visit = async (queryKey: readonly unknown[]) => (await look(queryKey))();
const has = (queryKey: readonly unknown[]) => client.getQueryCache().find({ queryKey }) !== undefined;

test("a list is answered from the cache for two minutes, model information for ten", async () => {
  for (const [key, lifetime] of [
    [listKey("users"), LIST_LIFETIME_MS],
    [MODELS, MODELS_LIFETIME_MS],
  ] as const) {
    let fetches = 0;
    const read = async () => (await look(key, async () => ++fetches))();
    await read();
    await jest.advanceTimersByTimeAsync(lifetime - 1);
    await read();
    expect(fetches).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await read();
    expect(fetches).toBe(2);
  }
});

test("single records and one-off calls are asked for each time", async () => {
  for (const key of [
    ["data", "default", "users", "one", "5"],
    ["data", "default", "custom", { url: "/api/admin/dashboard/" }],
  ]) {
    await visit(key);
    await visit(key);
  }
  expect(cache.getStats()).toEqual({ entries: 2, hits: 0, misses: 4 });
});

test("of more than a hundred entries the one accessed longest ago goes", async () => {
  for (let index = 0; index < MAX_ENTRIES; index++) await visit(listKey(index));
  // The first is read again, so the second is the oldest.
  await visit(listKey(0));
  await visit(listKey("new"));
  expect(cache.getStats().entries).toBe(MAX_ENTRIES);
  expect(has(listKey(0))).toBe(true);
  expect(has(listKey(1))).toBe(false);
  expect(has(listKey("new"))).toBe(true);
});

test("what the screen shows is never evicted, however old", async () => {
  const leave = await look(listKey("shown"));
  for (let index = 0; index < MAX_ENTRIES + 20; index++) await visit(listKey(index));
  expect(has(listKey("shown"))).toBe(true);
  expect(cache.getStats().entries).toBe(MAX_ENTRIES);
  leave();
});

test("entries that are all in use stay cached, and go when they are left", async () => {
  const leaves = [];
  for (let index = 0; index < MAX_ENTRIES + 5; index++) leaves.push(await look(listKey(index)));
  expect(cache.getStats().entries).toBe(MAX_ENTRIES + 5);
  for (const leave of leaves) leave();
  expect(cache.getStats().entries).toBe(MAX_ENTRIES);
});

test("the clean-up removes what has expired and nobody looks at, every five minutes", async () => {
  await visit(listKey("left"));
  await visit(MODELS);
  const leave = await look(listKey("shown"));
  await jest.advanceTimersByTimeAsync(FIVE_MINUTES_MS - 1);
  expect(has(listKey("left"))).toBe(true);
  await jest.advanceTimersByTimeAsync(1);
  expect(has(listKey("left"))).toBe(false);
  expect(has(listKey("shown"))).toBe(true);
  expect(has(MODELS)).toBe(true);
  await jest.advanceTimersByTimeAsync(FIVE_MINUTES_MS);
  expect(has(MODELS)).toBe(false);
  leave();
});

test("what is no admin data is neither counted nor evicted", async () => {
  for (let index = 0; index < MAX_ENTRIES + 5; index++) await visit(["auth", index]);
  expect(cache.getStats()).toEqual({ entries: 0, hits: 0, misses: 0 });
  expect(has(["auth", 0])).toBe(true);
});

test("a fresh entry is a hit, an invalidated one a miss, and a fetch that is shared is one miss", async () => {
  const key = listKey("users");
  const first = look(key);
  const second = look(key);
  for (const leave of await Promise.all([first, second])) leave();
  expect(cache.getStats()).toEqual({ entries: 1, hits: 0, misses: 1 });
  await visit(key);
  expect(cache.getStats()).toMatchObject({ hits: 1, misses: 1 });
  await client.invalidateQueries({ queryKey: key });
  await visit(key);
  expect(cache.getStats()).toMatchObject({ hits: 1, misses: 2 });
});

test("twenty rows that read one entry are one look-up, not twenty", async () => {
  const key = listKey("models");
  await visit(key);
  const leaves = [];
  for (let row = 0; row < 20; row++) leaves.push(await look(key));
  expect(cache.getStats()).toMatchObject({ hits: 1, misses: 1 });
  for (const leave of leaves) leave();
  await visit(key);
  expect(cache.getStats()).toMatchObject({ hits: 2, misses: 1 });
});

test("somebody who shows an entry without asking for it hides no look-up", async () => {
  const key = listKey("models");
  const leave = new QueryObserver(client, { queryKey: key, enabled: false }).subscribe(() => {});
  await visit(key);
  await visit(key);
  expect(cache.getStats()).toMatchObject({ hits: 1, misses: 1 });
  leave();
});

test("a list that waits before it asks is looked up when it does", async () => {
  const options = { queryKey: listKey("actions"), queryFn: async () => [] };
  const observer = new QueryObserver(client, { ...options, enabled: false });
  const leave = observer.subscribe(() => {});
  observer.setOptions({ ...options, enabled: true });
  await jest.advanceTimersByTimeAsync(0);
  observer.setOptions({ ...options, enabled: true, staleTime: 5 });
  expect(cache.getStats()).toMatchObject({ hits: 0, misses: 1 });
  leave();
});
