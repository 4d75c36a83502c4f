import { createHash } from "node:crypto";
import { pipeline, type Readable, Transform } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { AppError } from "#server/base/errors.ts";
import { cutConnection, getBackendId, type Queryable } from "#server/db/pool.ts";
import type { ExportTotals } from "./store.ts";

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
 * Starts a COPY, once there is a connection and `onStart` is done. The caller ends it once, by `settle` or by `cut`; what comes
 * after that is nothing.
 * @param deps `reserve` asks PostgreSQL to free a backend: not the pool of exports, which may be full.
 */
async function copyRows(
  deps: { exportPool: pg.Pool; reserve: Queryable; onFault: (error: unknown) => void },
  job: { copySql: string; onStart(): Promise<void> },
): Promise<CopiedRows> {
  const client = await connect(deps.exportPool);
  try {
    await job.onStart();
  } catch (error) {
    client.release();
    throw error;
  }
  const stream = client.query(copyTo(job.copySql));
  // `pg` emits an error here when the connection is cut and nobody reads any more; without a listener, that would end the process.
  stream.on("error", () => undefined);
  let isOver = false;
  return {
    stream,
    cut(fault) {
      if (isOver) return;
      isOver = true;
      cutConnection(client);
      client.release(fault);
      terminate(deps.reserve, getBackendId(client)).catch(deps.onFault);
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

/** Passes a file on and measures it. */
interface Meter {
  stream: Transform;
  countBytes(): number;
}

/** @param onWhole is waited for behind the last byte: the file doesn't end before it is done, or ends broken when that fails. */
function createMeter(onWhole: (totals: { byteCount: number; sha256: string }) => Promise<void>): Meter {
  const hash = createHash("sha256");
  let byteCount = 0;
  const stream = new Transform({
    readableHighWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      byteCount += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      onWhole({ byteCount, sha256: hash.digest("hex") }).then(() => done(), done);
    },
  });
  return { stream, countBytes: () => byteCount };
}

/** A reader who takes next to nothing for this long would hold one of two connections for ever. */
const STALL_TIMEOUT_MS = 60_000;
/** To be taken in that time, where there is so much. */
const LEAST_BYTES = 64 * 1024;

/** Runs a check again and again. @returns how to stop. */
type Repeat = (check: () => void) => () => void;

const everyMinute: Repeat = (check) => {
  const timer = setInterval(check, STALL_TIMEOUT_MS);
  return () => clearInterval(timer);
};

/** Calls when a reader didn't take from one check to the next what lay ready for them. @returns how to stop watching. */
export function watchStall(
  stream: Readable,
  countBytes: () => number,
  onStall: () => void,
  repeat: Repeat = everyMinute,
): () => void {
  let before = 0;
  // Nothing there: PostgreSQL is at work, and the reader waits.
  let lay = 0;
  return repeat(() => {
    const taken = countBytes() - stream.readableLength;
    if (taken - before < Math.min(lay, LEAST_BYTES)) onStall();
    before = taken;
    lay = stream.readableLength;
  });
}

export interface FileDeps {
  exportPool: pg.Pool;
  /** Of requests: frees backends. */
  pool: Queryable;
  log: { warn(details: object, message: string): void };
  repeatStallCheck?: Repeat;
}

/** One file: its statement, its shape, and what is called when it ended. */
export interface FileJob {
  copySql: string;
  shape(rows: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** Before the first byte, once there is a connection. */
  onStart(): Promise<void>;
  /** Behind the last byte, before the file ends. */
  onWhole(totals: ExportTotals): Promise<void>;
  /** The reader has not the whole file: they left or stalled, or something failed. */
  onBroken(status: "failed" | "abandoned"): Promise<void>;
}

/** Resolves when there is a byte to read, or the end. */
function waitForData(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("readable", resolve);
    stream.once("error", reject);
    // Nobody is there to get an answer.
    stream.once("close", () => reject(new AppError("request_timeout")));
  });
}

/**
 * Streams a file from one snapshot. A fault destroys the stream, so that it never ends well when it isn't whole; the
 * connection comes back once, clean after the last row and cut otherwise.
 * @throws AppError unavailable when no connection comes free; what a statement says that fails at once.
 */
export async function streamFile(deps: FileDeps, job: FileJob, signal?: AbortSignal): Promise<Readable> {
  const { exportPool, pool: reserve, log } = deps;
  const warn = (error: unknown) => log.warn({ err: error }, "the end of an export could not be written down");
  let settled: Promise<void> = Promise.resolve();

  const copied = await copyRows({ exportPool, reserve, onFault: warn }, job);
  const meter = createMeter((measured) => {
    const settle = async () => job.onWhole({ ...measured, rowCount: await copied.settle() });
    settled = settle();
    return settled;
  });
  const { stream } = meter;
  const stopWatching = watchStall(stream, meter.countBytes, () => stream.destroy(), deps.repeatStallCheck);
  stream.once("close", () => {
    stopWatching();
    if (stream.readableEnded) return;
    const fault = stream.errored;
    copied.cut(fault ?? new Error("the reader of an export left"));
    // Behind `onWhole`, when the reader left between its end and theirs.
    const report = () => job.onBroken(fault ? "failed" : "abandoned").catch(warn);
    settled.then(report, report);
  });
  // What fails above destroys the last stream with its error, which reaches whoever reads it.
  pipeline(copied.stream, job.shape, stream, () => undefined);
  // Later it is the answer that says so.
  const leave = () => stream.destroy();
  signal?.addEventListener("abort", leave, { once: true });
  if (signal?.aborted) leave();
  await waitForData(stream);
  return stream;
}
