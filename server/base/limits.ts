import { LRUCache } from "lru-cache";
import { AppError } from "./errors.ts";

/** At most `max` of something in `windowMs` from the first. */
export interface WindowRule {
  max: number;
  windowMs: number;
}

/** Counts by key in this process's memory; a restart forgets. */
export interface WindowCounter {
  /** Seconds until the key has room; 0 when it has. */
  getWaitS(key: string): number;
  add(key: string): void;
  /** Takes one back that was added. */
  remove(key: string): void;
  /** True once in each window: whoever is first to refuse a key says so in the audit. */
  isFirstRefusal(key: string): boolean;
}

interface Tally {
  count: number;
  endsAt: number;
  isTold: boolean;
}

/** Some MB at the most; who is pushed out starts again from nothing. */
const MAX_KEYS = 50_000;

/** `clock` in milliseconds. */
export function createWindowCounter(rule: WindowRule, clock: () => number): WindowCounter {
  // By size: with `max` each counter would hold room for all its keys, 1.5 MB, from the start.
  const tallies = new LRUCache<string, Tally>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  function find(key: string): Tally | undefined {
    const tally = tallies.get(key);
    return tally && clock() < tally.endsAt ? tally : undefined;
  }

  return {
    getWaitS(key) {
      const tally = find(key);
      return tally && tally.count >= rule.max ? Math.ceil((tally.endsAt - clock()) / 1000) : 0;
    },
    add(key) {
      const tally = find(key);
      if (tally) tally.count++;
      else tallies.set(key, { count: 1, endsAt: clock() + rule.windowMs, isTold: false });
    },
    remove(key) {
      const tally = find(key);
      if (!tally) return;
      tally.count = Math.max(0, tally.count - 1);
      if (tally.count === 0 && !tally.isTold) tallies.delete(key); // the window begins with the next one
    },
    isFirstRefusal(key) {
      const tally = find(key);
      if (tally?.isTold) return false;
      if (tally) tally.isTold = true;
      else tallies.set(key, { count: 0, endsAt: clock() + rule.windowMs, isTold: true });
      return true;
    },
  };
}

/**
 * Counts one for a key.
 * @returns how to give it back. @throws AppError too_many_requests with the seconds to wait.
 */
export function takePlace(counter: WindowCounter, key: string): () => void {
  const retryAfterS = counter.getWaitS(key);
  if (retryAfterS > 0) throw new AppError("too_many_requests", { retryAfterS });
  counter.add(key);
  return () => counter.remove(key);
}
