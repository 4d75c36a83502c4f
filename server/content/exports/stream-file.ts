import { pipeline, type Readable } from "node:stream";
import type pg from "pg";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { copyRows } from "./copy-rows.ts";
import { createMeter } from "./meter.ts";
import { type Repeat, watchStall } from "./stall.ts";
import type { ExportTotals } from "./store.ts";

export interface FileParts {
  exportPool: pg.Pool;
  /** Of requests: frees backends. */
  pool: Queryable;
  log: { warn(details: object, message: string): void };
  repeatStallCheck?: Repeat;
}

/** One file: its statement, its shape, and who hears how it ended. */
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
    // Nobody is there to be told.
    stream.once("close", () => reject(new AppError("request_timeout")));
  });
}

/**
 * Streams a file from one snapshot. A fault destroys the stream, so that it never ends well when it isn't whole; the
 * connection comes back once, clean after the last row and cut otherwise.
 * @throws AppError unavailable when no connection comes free; what a statement says that fails at once.
 */
export async function streamFile(parts: FileParts, job: FileJob, signal?: AbortSignal): Promise<Readable> {
  const { exportPool, pool: reserve, log } = parts;
  const warn = (error: unknown) => log.warn({ err: error }, "the end of an export could not be written down");
  let settled: Promise<void> = Promise.resolve();

  const copied = await copyRows({ exportPool, reserve, onFault: warn }, job);
  const meter = createMeter((measured) => {
    const settle = async () => job.onWhole({ ...measured, rowCount: await copied.settle() });
    settled = settle();
    return settled;
  });
  const { stream } = meter;
  const stopWatching = watchStall(stream, meter.countBytes, () => stream.destroy(), parts.repeatStallCheck);
  stream.once("close", () => {
    stopWatching();
    if (stream.readableEnded) return;
    const fault = stream.errored;
    copied.cut(fault ?? new Error("the reader of an export left"));
    // Behind `onWhole`, when the reader left between its end and theirs.
    const tell = () => job.onBroken(fault ? "failed" : "abandoned").catch(warn);
    settled.then(tell, tell);
  });
  // What fails above destroys the last stream with its error, which whoever reads it hears.
  pipeline(copied.stream, job.shape, stream, () => undefined);
  // Later it is the answer that says so.
  const leave = () => stream.destroy();
  signal?.addEventListener("abort", leave, { once: true });
  if (signal?.aborted) leave();
  await waitForData(stream);
  return stream;
}
