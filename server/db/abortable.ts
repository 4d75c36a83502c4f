import pg from "pg";
import { AppError } from "#server/http/errors.ts";

/** A statement with its values; `rowMode: "array"` gives rows as lists. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Runs statements of requests, which end with their client. */
export interface AbortableQueries {
  /** Rows as lists, in the order of the columns. @throws AppError request_timeout, or pg's 57014, where the signal is aborted. */
  selectRows(statement: Statement, signal: AbortSignal | undefined): Promise<unknown[][]>;
  close(): Promise<void>;
}

const CANCEL_IDLE_MS = 10_000;

/** pg knows the number of its backend and doesn't type it. */
function getBackendId(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}

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

  return {
    async selectRows(statement, signal) {
      if (!signal) return (await pool.query<unknown[]>({ ...statement, rowMode: "array" })).rows;
      const client = await pool.connect();
      if (!signal.aborted) return run(client, statement, signal);
      client.release();
      throw new AppError("request_timeout");
    },
    close: () => cancels.end(),
  };
}
