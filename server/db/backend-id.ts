import type pg from "pg";

/** The number of the process that serves a connection. `pg` knows it and doesn't type it. */
export function getBackendId(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}
