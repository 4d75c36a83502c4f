import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { createLocalLeases, type Leases } from "./lease.ts";
import { createSharedLeases } from "./shared-leases.ts";
import { createTurns } from "./turns.ts";

let database: TestDatabase;
let done: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  done = [];
});
afterEach(() => database.close());

const HOUR_MS = 3_600_000;
const openLeases = () =>
  createSharedLeases({
    db: database.pool,
    processId: randomUUID(),
    steadyMs: () => 0,
    now: () => new Date(0),
    log: { warn: () => {} },
  });

const open = (leases: Leases, name: string, everyMs = HOUR_MS) =>
  createTurns({ leases, name: "sweeping", everyMs, run: async () => void done.push(name) });

test("alone, a process does it at its start and by the clock, until it is closed", async () => {
  const turns = open(createLocalLeases(), "a", 1);
  await turns.start();
  expect(done).toEqual(["a"]);
  await until(() => done.length > 3);
  await turns.close();
  const before = done.length;
  await turns.start();
  expect(done).toHaveLength(before);
  await turns.close();
});

test("of two processes one does it, and the next one as soon as that is closed or dead", async () => {
  const [a, b, c] = [openLeases(), openLeases(), openLeases()];
  const ofA = open(a, "a");
  const ofB = open(b, "b");
  const ofC = open(c, "c");
  await a.renew();
  await b.renew();
  for (const turns of [ofA, ofB, ofC]) await turns.start();
  expect(done).toEqual(["a"]);
  await ofA.close();
  await b.renew();
  await until(() => done.length === 2);
  await database.pool.query("UPDATE work_lease SET expires_at = clock_timestamp()");
  await c.renew();
  await until(() => done.length === 3);
  expect(done).toEqual(["a", "b", "c"]);
  for (const turns of [ofB, ofC]) await turns.close();
});

test("what is in the middle of its turn learns that the work is another process's", async () => {
  const [a, b] = [openLeases(), openLeases()];
  const began = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<void>();
  const turns = createTurns({
    leases: a,
    name: "sweeping",
    everyMs: HOUR_MS,
    async run(signal) {
      began.resolve(signal);
      await ended.promise;
    },
  });
  await a.renew();
  const first = turns.start();
  const signal = await began.promise;
  await database.pool.query("UPDATE work_lease SET expires_at = clock_timestamp()");
  b.keep("sweeping");
  await b.renew();
  expect(signal.aborted).toBe(false);
  await a.renew();
  expect(signal.aborted).toBe(true);
  ended.resolve();
  await first;
  await turns.close();
});
