import { randomUUID } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import type { Disk } from "./disk.ts";
import type { ResponseTimes } from "./response-times.ts";
import { deleteSamplesBefore, insertSample } from "./store.ts";

const MINUTE_MS = 60_000;
const RETENTION_MS = 90 * 24 * 60 * MINUTE_MS;

/** Writes what the process measured of itself down, once a minute. */
export interface Sampler {
  start(): void;
  close(): Promise<void>;
}

export interface SamplerParts {
  db: Queryable;
  times: Pick<ResponseTimes, "take">;
  readDisk: () => Promise<Disk>;
  now: () => Date;
  log: { warn(details: object, message: string): void };
}

/** One sample now. */
export async function takeSample(parts: Omit<SamplerParts, "log">, bootId: string): Promise<void> {
  const { count, medianMs } = parts.times.take();
  const disk = await parts.readDisk();
  await insertSample(parts.db, {
    takenAt: parts.now(),
    bootId,
    requestCount: count,
    responseTimeMs: medianMs,
    memoryBytes: process.memoryUsage.rss(),
    diskUsedBytes: disk.used,
    diskTotalBytes: disk.used + disk.free,
  });
}

/** Samples at the start and then at each full minute, so that no minute of a running server is without one. */
export function createSampler(parts: SamplerParts): Sampler {
  const bootId = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const sample = async () => {
    try {
      await takeSample(parts, bootId);
    } catch (error) {
      parts.log.warn({ err: error }, "a health sample could not be written");
    }
  };
  const schedule = () => {
    timer = setTimeout(
      () => {
        if (isClosed) return;
        running = sample();
        schedule();
      },
      MINUTE_MS - (parts.now().getTime() % MINUTE_MS),
    );
  };
  return {
    start() {
      running = sample();
      schedule();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Removes samples that are older than 90 days. Called at start and daily. */
export function deleteOldSamples(db: Queryable, now: Date): Promise<void> {
  return deleteSamplesBefore(db, new Date(now.getTime() - RETENTION_MS));
}
