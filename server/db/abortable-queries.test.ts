import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type pg from "pg";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { type AbortableQueries, createAbortableQueries } from "./abortable-queries.ts";
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
/** A statement that nobody sees the end of. */
const NEVER = sleep(100_000);
/** Statements wait behind it; the test's own connection of `database` holds it. */
const GATE = 1;
const atGate = { text: "SELECT pg_advisory_xact_lock_shared($1)", values: [GATE] };

async function countActive(part: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`SELECT ${part}%`],
  );
  return rows[0]?.count ?? 0;
}

async function closeGate() {
  const holder = await database.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [GATE]);
  return {
    async open() {
      await holder.query("SELECT pg_advisory_unlock($1)", [GATE]);
      holder.release();
    },
  };
}

test("a statement whose signal is aborted ends at once, and its connection is good for the next", async () => {
  const controller = new AbortController();
  const slow = queries.selectRows(NEVER, controller.signal);
  const ending = expect(slow).rejects.toMatchObject({ code: "57014" });
  await until(async () => (await countActive("pg_sleep")) === 1);
  controller.abort();
  await ending;
  expect(await queries.selectRows({ text: "SELECT $1::int", values: [7] }, undefined)).toEqual([[7]]);
  expect(pool.totalCount).toBe(1);
});

test("a cancel that comes at the end of its statement never hits the next one on the connection", async () => {
  let ended = 0;
  // Until both have happened: the end came first, the cancel came first.
  for (let round = 0; round < 300 || ended === 0 || ended === round; round++) {
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
});

test("who has gone before a connection is free costs no statement", async () => {
  const controller = new AbortController();
  const gate = await closeGate();
  const holder = queries.selectRows(atGate, undefined);
  const waiting = queries.selectRows({ text: "SELECT 1/0", values: [] }, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "request_timeout" });
  await gate.open();
  await holder;
  expect(pool.idleCount).toBe(1);
});

test("however many reads wait, the rest of the site finds a connection, and reads go on in their order", async () => {
  const wide = createPool(database.connection, { name: "wide", max: 6, onError: () => {} });
  const reads = createAbortableQueries(wide);
  const gone = new AbortController();
  const order: number[] = [];
  const gate = await closeGate();
  const slow = Array.from({ length: 6 }, (_, index) =>
    reads.selectRows(atGate, new AbortController().signal).then(() => order.push(index)),
  );
  const leaving = expect(reads.selectRows(NEVER, gone.signal)).rejects.toMatchObject({
    code: "request_timeout",
  });
  const last = reads.inSlot(async () => order.push(6), undefined);
  await until(async () => (await countActive("pg_advisory_xact_lock_shared")) === 2);
  // Every read waits until the gate opens.
  await wide.query("SELECT 1");
  expect(wide.totalCount).toBeLessThanOrEqual(3);
  gone.abort();
  await leaving;
  expect(order).toEqual([]);
  await gate.open();
  await Promise.all([...slow, last]);
  expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // Two at once: it came last, and so waited for five of six.
  expect(order.indexOf(6)).toBeGreaterThanOrEqual(4);
  await reads.close();
  await wide.end();
});

test("work that fails leaves its slot to the next", async () => {
  const fails = queries.inSlot(() => Promise.reject(new Error("broken")), undefined);
  await expect(fails).rejects.toThrow("broken");
  expect(await queries.inSlot(async () => "next", undefined)).toBe("next");
});
