/** Times kept between two samples; more requests replace kept ones at random, so that all count alike. */
const KEPT_MAX = 512;

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
  const kept = new Float64Array(KEPT_MAX);
  let count = 0;
  const peek = () => ({
    count,
    medianMs: toMedian(kept.slice(0, Math.min(count, KEPT_MAX)).sort()),
  });
  return {
    record(ms) {
      const place = count < KEPT_MAX ? count : Math.floor(random() * (count + 1));
      if (place < KEPT_MAX) kept[place] = ms;
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
