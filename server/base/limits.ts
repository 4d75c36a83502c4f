import { isIPv4, isIPv6 } from "node:net";
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

/** Lets a few pieces of work run at a time; others wait in order. */
export type ConcurrencyGate = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** @throws AppError unavailable, from the gate, when too many wait already. */
export function createConcurrencyGate(limits: { running: number; waiting: number }): ConcurrencyGate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < limits.running) running++;
    else {
      if (waiting.length >= limits.waiting) throw new AppError("unavailable", { retryAfterS: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve)); // whoever ends hands its place over
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** So many pieces of work at once; the others wait in the order in which they came. */
export interface Places {
  /** Does the work when a place is free. @throws AppError request_timeout where the signal is aborted before that. */
  inPlace<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result>;
}

export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];

  const take = (signal: AbortSignal | undefined): Promise<void> | void => {
    if (signal?.aborted) throw new AppError("request_timeout");
    if (free > 0) {
      free -= 1;
      return;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(new AppError("request_timeout"));
      };
      waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  };
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  return {
    async inPlace(work, signal) {
      await take(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
