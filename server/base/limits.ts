import { isIPv4, isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "./errors.ts";

/**
 * What bounds callers and work, in this process's memory. What was measured, in CPU per call:
 *
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

const GROUPS = 8;
const GROUPS_OF_BLOCK = 4;

/** The eight groups of an IPv6 address, `::` filled in. */
function toGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  if (tail === undefined) return first;
  const last = tail === "" ? [] : tail.split(":");
  return [...first, ...Array<string>(Math.max(0, GROUPS - first.length - last.length)).fill("0"), ...last];
}

/**
 * What counts as one place for a limit: an IPv4 address, or the /64 of an IPv6 one, because a household is given at
 * least that much and can change the rest at will. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is that address.
 */
export function toAddressBlock(address: string | null): string {
  if (address === null) return "unknown";
  const plain = address.split("%")[0]?.toLowerCase() ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (isIPv4(plain) || !isIPv6(plain)) return plain;
  const groups = toGroups(plain)
    .slice(0, GROUPS_OF_BLOCK)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
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
  /** Joins the work of a key, or starts it. Who gives no signal waits to the end. */
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
    // Who comes after it was given up starts anew.
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
