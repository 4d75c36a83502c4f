import { randomUUID } from "node:crypto";
import type pg from "pg";
import { findPerson } from "#server/accounts/store.ts";
import { openLeases } from "#server/db/leases/shared-leases.ts";
import { type Connection, createPool } from "#server/db/pool.ts";
import { buildRegistry, ensureContentTypes } from "#server/models/registry/registry.ts";
import { createApplyRows } from "./apply.ts";
import { createJobWorker, type JobWorker } from "./job-worker.ts";
import { item } from "./test-item.ts";

/** A worker of items alone, on a pool of its own; also run as a process, to be killed. `mayClaim`: false lets others be first. */
export async function openTestWorker(connection: Connection, mayClaim = () => true): Promise<JobWorker> {
  const pool: pg.Pool = createPool(connection, { name: "test worker", max: 3, onError: () => {} });
  const registry = buildRegistry([item], await ensureContentTypes(pool, [item]));
  const log = {
    error: (details: object, message: string) => console.error(message, details),
    warn: (details: object, message: string) => console.error(message, details),
  };
  const clocks = { steadyMs: () => performance.now(), now: () => new Date() };
  const leases = openLeases(connection, false, { processId: randomUUID(), log, ...clocks });
  await leases.start();
  const worker = createJobWorker({
    pool,
    leases: { ...leases, claim: async (name) => (mayClaim() ? leases.claim(name) : undefined) },
    lookEveryMs: 20,
    registry,
    feed: { announce: () => {} },
    writers: new Map(),
    apply: createApplyRows(new Map()),
    findPerson,
    log,
  });
  return {
    ...worker,
    async close() {
      await worker.close();
      await leases.close();
      await pool.end();
    },
  };
}

const given = process.env.FOYER_TEST_WORKER;
if (given) {
  const worker = await openTestWorker(JSON.parse(given) as Connection); // written by the test
  worker.start();
}
