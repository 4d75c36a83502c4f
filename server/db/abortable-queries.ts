import pg from "pg";
import { AppError } from "../base/errors.ts";
import { createWorkQueue, type WorkQueue } from "../base/limits.ts";
import { getBackendId } from "./pool.ts";
import type { Statement } from "./sql.ts";

/**
 * Runs the reads of requests, which end with their client. Slow ones take no more than their share of the pool: log-ins and
 * writes find a connection however many lists are asked for. Work of `inSlot` holds one connection at a time, and calls no
 * `selectRows`, which would wait for a slot while it holds one.
 */
export interface AbortableQueries extends WorkQueue {
  /** Rows as lists, in the order of the columns. @throws AppError request_timeout, or pg's 57014, where the signal is aborted. */
  selectRows(statement: Statement, signal: AbortSignal | undefined): Promise<unknown[][]>;
  close(): Promise<void>;
}

const CANCEL_IDLE_MS = 10_000;
/** Connections of the pool that reads leave to everything else. */
const LEFT_FREE = 4;
/** What `pg` takes where a pool doesn't say. */
const DEFAULT_MAX = 10;

/**
 * Cancels go through a connection of their own, because the statements that they end may hold all of the pool. A connection
 * goes back only after the cancel has been answered: the signal has reached the backend then, and can't hit the statement
 * of whoever comes next.
 */
export function createAbortableQueries(pool: pg.Pool): AbortableQueries {
  const cancels = new pg.Pool({
    ...pool.options,
    application_name: "foyer cancels",
    max: 1,
    idleTimeoutMillis: CANCEL_IDLE_MS,
    allowExitOnIdle: true,
  });
  const { inSlot } = createWorkQueue({ slots: Math.max(1, (pool.options.max ?? DEFAULT_MAX) - LEFT_FREE) });
  // A broken idle connection is replaced with the next cancel.
  cancels.on("error", () => undefined);

  const run = async (client: pg.PoolClient, statement: Statement, signal: AbortSignal) => {
    let cancelled: Promise<Error | undefined> | undefined;
    const cancel = () => {
      cancelled = cancels.query("SELECT pg_cancel_backend($1)", [getBackendId(client)]).then(
        () => undefined,
        (fault: Error) => fault,
      );
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { rows } = await client.query<unknown[]>({ ...statement, rowMode: "array" });
      return rows;
    } finally {
      signal.removeEventListener("abort", cancel);
      // Where no cancel could be sent nobody knows when one comes: such a connection is not used again.
      client.release(await cancelled);
    }
  };

  const select = async (statement: Statement, signal: AbortSignal | undefined) => {
    if (!signal) return (await pool.query<unknown[]>({ ...statement, rowMode: "array" })).rows;
    const client = await pool.connect();
    if (!signal.aborted) return run(client, statement, signal);
    client.release();
    throw new AppError("request_timeout");
  };

  return {
    inSlot,
    selectRows: (statement, signal) => inSlot(() => select(statement, signal), signal),
    close: () => cancels.end(),
  };
}
