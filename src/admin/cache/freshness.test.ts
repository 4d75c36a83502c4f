import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { MutationObserver, type QueryClient, QueryObserver } from "@tanstack/react-query";
import { markStaleAfterWrites } from "./freshness.ts";
import { createQueryClient } from "./query-client.ts";

const USERS = ["data", "default", "users", "list", {}];
const SHOWN = ["data", "default", "models/7/objects", "list", {}];
const RECORD = ["data", "default", "users", "one", "1"];

let client: QueryClient;

beforeEach(() => {
  client = createQueryClient();
  markStaleAfterWrites(client);
  for (const key of [USERS, SHOWN, RECORD]) client.setQueryData(key, { data: [] });
  new QueryObserver(client, { queryKey: SHOWN, queryFn: async () => ({ data: [] }) }).subscribe(() => {});
});
afterEach(() => client.clear());

const isStale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated;

async function write(variables: unknown, run: () => Promise<unknown>) {
  const observer = new MutationObserver(client, { mutationFn: run });
  await observer.mutate(variables as never).catch(() => undefined);
}

test.each([
  ["of a record", { resource: "access-levels", id: 4, values: {} }],
  ["of many", { url: "/api/admin/models/7/objects/bulk/", method: "post" }],
])(
  "a write %s makes cached lists of other records stale, whose rows may name what was written",
  async (_, what) => {
    await write(what, async () => ({}));
    // What is on the screen is asked for again by whoever shows it.
    expect([isStale(USERS), isStale(SHOWN), isStale(RECORD)]).toEqual([true, false, false]);
  },
);

test("a write that failed, and work that writes nothing, leave them fresh", async () => {
  await write({ resource: "users" }, () => Promise.reject(new Error("refused")));
  await write({ asked: {}, key: "count" }, async () => 7);
  expect(isStale(USERS)).toBe(false);
});
