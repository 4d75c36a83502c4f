import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type AbortableQueries, createAbortableQueries } from "#server/db/abortable-queries.ts";
import { createPool } from "#server/db/pool.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { toView } from "../records/access.ts";
import { EVERYTHING } from "./query.ts";
import { createTotals, type Totals } from "./totals.ts";

const READER = { lang: "en", level: 999, userId: null } as const;
const model = buildRegistry([article], new Map()).models[0];
if (!model) throw new Error("no model");
const view = toView(model, READER.level);

let database: TestDatabase;
/** Every total begins with the planner's estimate. */
let measured: number;
let totals: Totals;
let queries: AbortableQueries;
let publish: (modelKey: string | undefined) => void;
let isLive: boolean;

beforeAll(async () => {
  database = await createTestDatabase();
  queries = createAbortableQueries(database.pool);
  await database.pool.query(ARTICLE_SQL);
  await database.pool.query("INSERT INTO test_article (title) VALUES ('a'), ('b')");
});
afterAll(async () => {
  await queries.close();
  await database.close();
});
beforeEach(() => {
  measured = 0;
  isLive = true;
  const query = ((text: string, values: unknown[]) => {
    measured += 1;
    return database.pool.query(text, values);
  }) as TestDatabase["pool"]["query"];
  totals = createTotals({
    pool: { query, connect: () => database.pool.connect() },
    queries,
    feed: {
      isLive: () => isLive,
      subscribe: (listener) => {
        publish = listener;
      },
    },
  });
});

test("a total is counted once for lists that follow each other", async () => {
  expect(await totals.get(view, EVERYTHING, READER)).toMatchObject({ count: 2, isEstimate: false });
  await totals.get(view, EVERYTHING, READER);
  expect(measured).toBe(1);
});

test("a list after a write has the exact total", async () => {
  await totals.get(view, EVERYTHING, READER);
  await database.pool.query("INSERT INTO test_article (title) VALUES ('c')");
  publish("test.article");
  expect((await totals.get(view, EVERYTHING, READER)).count).toBe(3);
  publish("cv.certificate");
  await totals.get(view, EVERYTHING, READER);
  expect(measured).toBe(2);
});

test("a total that was being counted during a change is not cached", async () => {
  const first = totals.get(view, EVERYTHING, READER);
  publish("test.article");
  await first;
  await totals.get(view, EVERYTHING, READER);
  expect(measured).toBe(2);
});

test("each search and filter has its own total", async () => {
  expect((await totals.get(view, { ...EVERYTHING, search: "a" }, READER)).count).toBe(1);
  expect((await totals.get(view, { ...EVERYTHING, search: "zzz" }, READER)).count).toBe(0);
  const before = measured;
  expect((await totals.get(view, { ...EVERYTHING, search: "a" }, READER)).count).toBe(1);
  expect(measured).toBe(before);
});

test("nothing is cached while nobody receives changes", async () => {
  isLive = false;
  await totals.get(view, EVERYTHING, READER);
  await totals.get(view, EVERYTHING, READER);
  expect(measured).toBe(2);
});

test("lists that want the same total at once measure it once", async () => {
  const both = await Promise.all([1, 2, 3].map(() => totals.get(view, EVERYTHING, READER)));
  expect(new Set(both.map(({ count }) => count)).size).toBe(1);
  expect(measured).toBe(1);
});

test("who asks after a change doesn't get the total that was being counted before it", async () => {
  const before = totals.get(view, EVERYTHING, READER);
  publish("test.article");
  await Promise.all([before, totals.get(view, EVERYTHING, READER)]);
  expect(measured).toBe(2);
});

test("an exact total is known for its own scope alone, until its model changes", async () => {
  const search = { ...EVERYTHING, search: "a" };
  expect(totals.findExact(view, EVERYTHING, READER)).toBeUndefined();
  const { count } = await totals.get(view, EVERYTHING, READER, { isExact: true });
  expect(totals.findExact(view, EVERYTHING, READER)).toBe(count);
  expect(totals.findExact(view, search, READER)).toBeUndefined();
  publish("test.article");
  expect(totals.findExact(view, EVERYTHING, READER)).toBeUndefined();
});

test("totals of whole models are counted together and cached", async () => {
  const [first, second] = await totals.getEach([view, view], READER);
  expect(first).toMatchObject({ isEstimate: false });
  expect(second).toEqual(first);
  expect(measured).toBe(0);
  await totals.get(view, EVERYTHING, READER);
  expect(measured).toBe(0);
});

test("totals wait for the reads before them, and leave the site its connections", async () => {
  const pool = createPool(database.connection, { name: "narrow", max: 5, onError: () => {} });
  const narrow = createAbortableQueries(pool);
  const feed = { isLive: () => true, subscribe: () => {} };
  const waiting = createTotals({ pool, queries: narrow, feed });
  let isRead = false;
  const read = narrow.selectRows({ text: "SELECT pg_sleep(0.3)", values: [] }, undefined).then(() => {
    isRead = true;
  });
  const total = waiting.get(view, EVERYTHING, READER).then(({ count }) => ({ count, isRead }));
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect([isRead, pool.totalCount]).toEqual([false, 2]);
  expect(await total).toMatchObject({ isRead: true });
  await read;
  await narrow.close();
  await pool.end();
});
