import { randomUUID } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import type { Disk } from "./checks.ts";
import { deleteSamplesBefore, insertSample } from "./store.ts";

/** Times kept between two samples; more requests replace kept ones at random, so that all count alike. */
const SAMPLES_MAX = 512;

/** Median time of requests, at next to no cost for each. */
export interface ResponseTimes {
  /** Milliseconds of one answered request. */
  record(ms: number): void;
  /** What was recorded since the last `take`; null without a request. */
  peek(): { count: number; medianMs: number | null };
  /** The same, and begins anew. */
  take(): { count: number; medianMs: number | null };
}

/** Median of sorted values; null of none. */
export function toMedian(sorted: Float64Array): number | null {
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Keeps a random choice of the recorded times (reservoir sampling). `random` gives numbers from 0 to 1. */
export function createResponseTimes(random: () => number = Math.random): ResponseTimes {
  const samples = new Float64Array(SAMPLES_MAX);
  let count = 0;
  const peek = () => ({
    count,
    medianMs: toMedian(samples.slice(0, Math.min(count, SAMPLES_MAX)).sort()),
  });
  return {
    record(ms) {
      const place = count < SAMPLES_MAX ? count : Math.floor(random() * (count + 1));
      if (place < SAMPLES_MAX) samples[place] = ms;
      count += 1;
    },
    peek,
    take() {
      const taken = peek();
      count = 0;
      return taken;
    },
  };
}

/** Fewer samples on one side say nothing. */
const SAMPLES_MIN = 10;
/** A difference up to here is none. */
const STABLE_SHARE = 0.05;

export type Trend = "up" | "down" | "stable" | null;

/** Where a figure goes: its mean against the one before; null while too little is known. */
export function toTrend(
  last: { mean: number | null; count: number },
  before: { mean: number | null; count: number },
): Trend {
  if (last.mean === null || before.mean === null) return null;
  if (last.count < SAMPLES_MIN || before.count < SAMPLES_MIN) return null;
  const difference = last.mean - before.mean;
  if (Math.abs(difference) <= Math.abs(before.mean) * STABLE_SHARE) return "stable";
  return difference > 0 ? "up" : "down";
}

const MINUTE_MS = 60_000;
export const SAMPLE_RETENTION_MS = 90 * 24 * 60 * MINUTE_MS;

/** Writes what the process measured of itself down, once a minute. */
export interface Sampler {
  start(): void;
  close(): Promise<void>;
}

export interface SamplerDeps {
  db: Queryable;
  processLabel: string;
  times: Pick<ResponseTimes, "take">;
  readDisk: () => Promise<Disk>;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  /** Each sample is a write, so that a database that takes none is noticed within a minute. */
  onFailure?: (error: unknown) => void;
}

/** One sample now. */
export async function takeSample(
  deps: Omit<SamplerDeps, "log" | "onFailure">,
  bootId: string,
): Promise<void> {
  const { count, medianMs } = deps.times.take();
  const disk = await deps.readDisk();
  await insertSample(deps.db, {
    takenAt: deps.now(),
    process: deps.processLabel,
    bootId,
    requestCount: count,
    responseTimeMs: medianMs,
    memoryBytes: process.memoryUsage.rss(),
    diskUsedBytes: disk.used,
    diskTotalBytes: disk.used + disk.free,
  });
}

/** Samples at the start and then at each full minute, so that no minute of a running server is without one. */
export function createSampler(deps: SamplerDeps): Sampler {
  const bootId = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const sample = async () => {
    try {
      await takeSample(deps, bootId);
    } catch (error) {
      deps.onFailure?.(error);
      deps.log.warn({ err: error }, "a health sample could not be written");
    }
  };
  const schedule = () => {
    timer = setTimeout(
      () => {
        if (isClosed) return;
        running = sample();
        schedule();
      },
      MINUTE_MS - (deps.now().getTime() % MINUTE_MS),
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
  return deleteSamplesBefore(db, new Date(now.getTime() - SAMPLE_RETENTION_MS));
}
