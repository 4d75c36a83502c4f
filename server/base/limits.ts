import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "./errors.ts";

/**
 * What bounds callers and work, in this process's memory; a restart forgets. What was measured, in CPU per call:
 *
 * - Windows are ours. rate-limiter-flexible (11.4) reads `Date.now()` where our tests pass a clock, holds every key
 *   that comes (0.5 kB each, and strangers have as many addresses as they like), and leaves a key whose counts were all given
 *   back in its old window. 0.46 µs, and 1.9 µs where it refuses, against 0.14 and 0.13 µs.
 *   Several processes would share counts behind `WindowCounter`, which `createWindowCounter` alone makes.
 * - Queues of work are p-limit's: 0.5 µs where a slot is free. p-queue takes 1.8 µs, and frees the slot of work whose signal is
 *   aborted while it still runs and holds its connection.
 * - Shared work is ours: `fetch` of lru-cache is given up when the caller that came first has gone, though others wait.
 */

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
  /** True once in each window: the first that refuses a key says so in the audit. */
  isFirstRefusal(key: string): boolean;
}

interface Tally {
  count: number;
  endsAt: number;
  isReported: boolean;
}

/** Some MB at the most; a key that is pushed out starts again from nothing. */
const MAX_KEYS = 50_000;

/** `clock` in milliseconds: best one that only grows. */
export function createWindowCounter(rule: WindowRule, clock: () => number): WindowCounter {
  // By size: with `max` each counter would hold room for all its keys, 1.5 MB, from the start.
  const tallies = new LRUCache<string, Tally>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  function find(key: string): Tally | undefined {
    const tally = tallies.get(key);
    if (!tally) return undefined;
    const now = clock();
    // A clock that went back makes nobody wait for longer than the window is.
    tally.endsAt = Math.min(tally.endsAt, now + rule.windowMs);
    return now < tally.endsAt ? tally : undefined;
  }

  return {
    getWaitS(key) {
      const tally = find(key);
      return tally && tally.count >= rule.max ? Math.ceil((tally.endsAt - clock()) / 1000) : 0;
    },
    add(key) {
      const tally = find(key);
      if (tally) tally.count++;
      else tallies.set(key, { count: 1, endsAt: clock() + rule.windowMs, isReported: false });
    },
    remove(key) {
      const tally = find(key);
      if (!tally) return;
      tally.count = Math.max(0, tally.count - 1);
      if (tally.count === 0 && !tally.isReported) tallies.delete(key); // the window begins with the next one
    },
    isFirstRefusal(key) {
      const tally = find(key);
      if (tally?.isReported) return false;
      if (tally) tally.isReported = true;
      else tallies.set(key, { count: 0, endsAt: clock() + rule.windowMs, isReported: true });
      return true;
    },
  };
}

/** What a caller takes one of: a key's window in a counter. */
export interface LimitSlot {
  counter: WindowCounter;
  key: string;
}

/** The first that has no room, and the seconds until it has; undefined: all have. */
export function findFull<Slot extends LimitSlot>(
  slots: readonly Slot[],
): { slot: Slot; waitS: number } | undefined {
  for (const slot of slots) {
    const waitS = slot.counter.getWaitS(slot.key);
    if (waitS > 0) return { slot, waitS };
  }
  return undefined;
}

/** Counts one in each, right after `findFull` found none that is full. @returns how to give them back. */
export function takeSlots(slots: readonly LimitSlot[]): () => void {
  for (const { counter, key } of slots) counter.add(key);
  return () => {
    for (const { counter, key } of slots) counter.remove(key);
  };
}

/**
 * Counts one for a key.
 * @returns how to give it back. @throws AppError too_many_requests with the seconds to wait.
 */
export function takeSlot(counter: WindowCounter, key: string): () => void {
  const slots = [{ counter, key }];
  const full = findFull(slots);
  if (full) throw new AppError("too_many_requests", { retryAfterS: full.waitS });
  return takeSlots(slots);
}

/** So many pieces of work at once; the others wait in the order in which they came. */
export interface WorkQueue {
  /**
   * Does the work when a slot is free.
   * @param signal Of whoever waits. Once the work has begun, it holds its slot to its end.
   * @throws AppError unavailable where too many wait already, request_timeout where the signal is aborted before the work begins.
   */
  inSlot<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

const RETRY_AFTER_S = 5;

/** Without `maxWaiting` nobody is refused. Whoever has gone counts among those who wait until their turn comes. */
export function createWorkQueue({ slots, maxWaiting }: { slots: number; maxWaiting?: number }): WorkQueue {
  const limit = pLimit(slots);
  return {
    async inSlot(work, signal) {
      if (signal?.aborted) throw new AppError("request_timeout");
      if (limit.activeCount < slots) return limit(work);
      if (maxWaiting !== undefined && limit.pendingCount >= maxWaiting)
        throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S });
      return signal ? waitUnlessAborted(limit, work, signal) : limit(work);
    },
  };
}

/** Whoever has gone is answered at once; p-limit has their turn come all the same, and nothing is done in it. */
function waitUnlessAborted<Result>(
  limit: LimitFunction,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new AppError("request_timeout"));
  signal.addEventListener("abort", leave, { once: true });
  const begin = () => {
    signal.removeEventListener("abort", leave);
    return signal.aborted ? left.promise : work();
  };
  return Promise.race([limit(begin), left.promise]);
}

/** Work that several callers wait for, done once; it is given up when the last of them has gone. */
export interface SharedWork<Result> {
  /** Joins the work of a key, or starts it. A caller that gives no signal waits to the end. */
  run(
    key: string,
    signal: AbortSignal | undefined,
    work: (abandoned: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface Running<Result> {
  result: Promise<Result>;
  waiting: number;
  abandon: AbortController;
}

export function createSharedWork<Result>(): SharedWork<Result> {
  const running = new Map<string, Running<Result>>();

  const start = (key: string, work: (abandoned: AbortSignal) => Promise<Result>): Running<Result> => {
    const abandon = new AbortController();
    const forget = () => {
      if (running.get(key) === started) running.delete(key);
    };
    const started = { result: work(abandon.signal).finally(forget), waiting: 0, abandon };
    // A caller that comes after it was given up starts anew.
    abandon.signal.addEventListener("abort", forget, { once: true });
    running.set(key, started);
    return started;
  };

  return {
    run(key, signal, work) {
      const joined = running.get(key) ?? start(key, work);
      joined.waiting += 1;
      const leave = () => {
        joined.waiting -= 1;
        if (joined.waiting === 0) joined.abandon.abort();
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      return joined.result;
    },
  };
}
