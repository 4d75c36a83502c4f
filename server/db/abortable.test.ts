import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type pg from "pg";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type AbortableQueries, createAbortableQueries } from "./abortable.ts";
import { createPool } from "./pool.ts";

let database: TestDatabase;
let pool: pg.Pool;
let queries: AbortableQueries;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.connection, { name: "one", max: 1, onError: () => {} });
  queries = createAbortableQueries(pool);
});
afterAll(async () => {
  await queries.close();
  await pool.end();
  await database.close();
});

const sleep = (seconds: number) => ({ text: "SELECT pg_sleep($1)", values: [seconds] });

test("a statement whose signal is aborted ends at once, and its connection is good for the next", async () => {
  const controller = new AbortController();
  const started = performance.now();
  const slow = queries.selectRows(sleep(30), controller.signal);
  setTimeout(() => controller.abort(), 50);
  await expect(slow).rejects.toMatchObject({ code: "57014" });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(await queries.selectRows({ text: "SELECT $1::int", values: [7] }, undefined)).toEqual([[7]]);
  expect(pool.totalCount).toBe(1);
});

test("a cancel that comes at the end of its statement never hits the next one on the connection", async () => {
  let ended = 0;
  for (let round = 0; round < 300; round++) {
    const controller = new AbortController();
    const first = queries.selectRows(sleep(0.001), controller.signal).then(
      () => {
        ended += 1;
      },
      () => undefined, // cancelled in time
    );
    const next = queries.selectRows(sleep(0.001), undefined);
    setTimeout(() => controller.abort(), (round % 10) / 3);
    await Promise.all([first, next]);
  }
  // Both have happened: the end came first, the cancel came first.
  expect(ended).toBeGreaterThan(0);
  expect(ended).toBeLessThan(300);
});

test("who has gone before a connection is free costs no statement", async () => {
  const controller = new AbortController();
  const holder = queries.selectRows(sleep(0.2), undefined);
  const waiting = queries.selectRows({ text: "SELECT 1/0", values: [] }, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "request_timeout" });
  await holder;
  expect(pool.idleCount).toBe(1);
});

test("however many reads wait, the rest of the site finds a connection, and reads go on in their order", async () => {
  const wide = createPool(database.connection, { name: "wide", max: 6, onError: () => {} });
  const reads = createAbortableQueries(wide);
  const gone = new AbortController();
  const order: number[] = [];
  const slow = Array.from({ length: 6 }, (_, index) =>
    reads.selectRows(sleep(0.3), new AbortController().signal).then(() => order.push(index)),
  );
  const leaving = expect(reads.selectRows(sleep(30), gone.signal)).rejects.toMatchObject({
    code: "request_timeout",
  });
  const last = reads.inPlace(async () => order.push(6), undefined);
  const started = performance.now();
  await wide.query("SELECT 1");
  expect(performance.now() - started).toBeLessThan(250);
  expect(wide.totalCount).toBeLessThanOrEqual(3);
  gone.abort();
  await leaving;
  expect(order).toEqual([]);
  await Promise.all([...slow, last]);
  expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // Two at once: it came last, and so waited for five of six.
  expect(order.indexOf(6)).toBeGreaterThanOrEqual(4);
  await reads.close();
  await wide.end();
});

test("work that fails leaves its place to the next", async () => {
  const fails = queries.inPlace(() => Promise.reject(new Error("broken")), undefined);
  await expect(fails).rejects.toThrow("broken");
  expect(await queries.inPlace(async () => "next", undefined)).toBe("next");
});
