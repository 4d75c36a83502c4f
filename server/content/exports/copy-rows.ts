import type { Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { AppError } from "#server/base/errors.ts";
import { cutConnection, getBackendId, type Queryable } from "#server/db/pool.ts";

const RETRY_AFTER_S = 30;

/** A COPY on a connection of its own. */
interface CopiedRows {
  /** PostgreSQL's bytes as they come. */
  stream: Readable;
  /** Waits until PostgreSQL has said that it is done, and gives the connection back. @returns the number of rows. */
  settle(): Promise<number>;
  /** Ends it in the middle: its connection is cut and its backend freed, whatever that is doing. */
  cut(fault: Error): void;
}

/** @throws AppError unavailable when other exports hold every connection for longer than the pool waits. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S, cause: error });
  }
}

/** A backend that sorts doesn't notice that nobody is there until it writes. The text keeps others safe from a reused number. */
async function terminate(db: Queryable, processId: number): Promise<void> {
  await db.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND query LIKE 'COPY (%' AND state = 'active'",
    [processId],
  );
}

/**
 * Starts a COPY, once there is a connection and `onStart` is done. Whoever calls ends it once, by `settle` or by `cut`; what
 * comes after that is nothing.
 * @param parts `reserve` asks PostgreSQL to free a backend: not the pool of exports, which may be full.
 */
export async function copyRows(
  parts: { exportPool: pg.Pool; reserve: Queryable; onFault: (error: unknown) => void },
  job: { copySql: string; onStart(): Promise<void> },
): Promise<CopiedRows> {
  const client = await connect(parts.exportPool);
  try {
    await job.onStart();
  } catch (error) {
    client.release();
    throw error;
  }
  const stream = client.query(copyTo(job.copySql));
  // `pg` tells it of its cut connection when nobody reads it any more; unheard, that would end the process.
  stream.on("error", () => undefined);
  let isOver = false;
  return {
    stream,
    cut(fault) {
      if (isOver) return;
      isOver = true;
      cutConnection(client);
      client.release(fault);
      terminate(parts.reserve, getBackendId(client)).catch(parts.onFault);
    },
    async settle() {
      // Answered only after the COPY, whose own end is what PostgreSQL says behind its last byte.
      await client.query("SELECT");
      isOver = true;
      client.release();
      return stream.rowCount;
    },
  };
}
