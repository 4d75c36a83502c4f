import type pg from "pg";
import { findPerson } from "#server/accounts/store.ts";
import { type Connection, createPool } from "#server/db/pool.ts";
import { buildRegistry, ensureContentTypes } from "#server/models/registry/registry.ts";
import { createApplyRows } from "./apply.ts";
import { createJobWorker, type JobWorker } from "./job-worker.ts";
import { item } from "./test-item.ts";

/** A worker of items alone, on a pool of its own; also run as a process, to be killed. */
export async function openTestWorker(connection: Connection): Promise<JobWorker> {
  const pool: pg.Pool = createPool(connection, { name: "test worker", max: 3, onError: () => {} });
  const registry = buildRegistry([item], await ensureContentTypes(pool, [item]));
  const worker = createJobWorker({
    pool,
    registry,
    feed: { announce: () => {} },
    writers: new Map(),
    apply: createApplyRows(new Map()),
    findPerson,
    log: { error: (details, message) => console.error(message, details) },
  });
  return {
    ...worker,
    async close() {
      await worker.close();
      await pool.end();
    },
  };
}

const given = process.env.FOYER_TEST_WORKER;
if (given) {
  const worker = await openTestWorker(JSON.parse(given) as Connection); // written by the test
  worker.start();
}
