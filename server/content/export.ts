import { PassThrough, type Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { AppError } from "#server/http/errors.ts";

/** An export whose reader takes nothing for this long is ended: it would hold one of two connections for ever. */
const STALL_TIMEOUT_MS = 60_000;
const RETRY_AFTER_S = 30;

/** The socket under a connection. `pg` has no call that ends a COPY whose reader has gone. */
function destroySocket(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}

/** @throws AppError unavailable when other exports hold every connection for longer than the pool waits. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S, cause: error });
  }
}

/**
 * Streams a COPY from a connection of its own. Whatever ends the stream, the end of the copy, a fault, or a reader that
 * left or stalls, the connection is given back once: clean after a whole copy, cut otherwise, which frees its backend.
 */
export async function streamCopy(pool: pg.Pool, sql: string): Promise<Readable> {
  const client = await connect(pool);
  const copy = client.query(copyTo(sql));
  const out = new PassThrough({ highWaterMark: 256 * 1024 });
  let isOver = false;
  let stall: NodeJS.Timeout | undefined;

  const finish = (fault: Error | null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stall);
    if (fault) destroySocket(client);
    else client.off("error", finish);
    client.release(fault ?? undefined);
  };
  const watch = () => {
    clearTimeout(stall);
    stall = setTimeout(() => out.destroy(new Error("the reader of an export stalled")), STALL_TIMEOUT_MS);
  };

  // A cut socket says so on the client as well; without a listener that would end the process.
  client.on("error", finish);
  copy.on("data", watch);
  copy.on("error", (error) => {
    finish(error);
    out.destroy(error);
  });
  copy.on("end", () => finish(null));
  out.on("close", () => finish(new Error("the reader of an export left")));
  watch();
  copy.pipe(out);
  return out;
}
