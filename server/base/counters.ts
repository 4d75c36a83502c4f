import { LRUCache } from "lru-cache";
import { AppError } from "./errors.ts";

/**
 * Counts that bound callers: at most so many in a window. They are asked asynchronously, because processes of one site may share them
 * (`server/cluster/counters.ts`); by itself a process has them in its memory, and a restart forgets.
 *
 * Those in memory are ours. rate-limiter-flexible (11.4) reads `Date.now()` where our tests pass a clock, holds every key that comes
 * (0.5 kB each, and strangers have as many addresses as they like), and leaves a key whose counts were all given back in its old
 * window. 0.46 µs, and 1.9 µs where it refuses, against 0.14 and 0.13 µs.
 */

/** At most `max` of something in `windowMs` from the first: whole seconds. */
export interface WindowRule {
  max: number;
  windowMs: number;
}

/** What came of asking for one. */
export type Taking = { isTaken: true; giveBack(): Promise<void> } | { isTaken: false; waitS: number };

/** Counts by key. It always answers: where what it shares is away, from this process's memory. */
export interface Counter {
  /** Counts one where the key has room, else says in how many seconds it has: then nothing was counted. */
  take(key: string): Promise<Taking>;
  /** Seconds until the key has room; 0 when it has. Whoever counts by the answer may be late: `take` decides. */
  getWaitS(key: string): Promise<number>;
  /** True once in each window: the first that refuses a key says so in the audit. */
  isFirstRefusal(key: string): Promise<boolean>;
}

/** Opens the counts of a name, which processes share by it: `login.account`. */
export type OpenCounter = (name: string, rule: WindowRule) => Counter;

/** Counts by key in this process's memory, for whoever needs the answer at once. */
export interface WindowCounter {
  /** Seconds until the key has room; 0 when it has. */
  getWaitS(key: string): number;
  /** @returns how to take it back; once its window is over, that changes nothing. */
  add(key: string): () => void;
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

  function begin(key: string): Tally {
    const tally = { count: 0, endsAt: clock() + rule.windowMs, isReported: false };
    tallies.set(key, tally);
    return tally;
  }

  return {
    getWaitS(key) {
      const tally = find(key);
      return tally && tally.count >= rule.max ? Math.ceil((tally.endsAt - clock()) / 1000) : 0;
    },
    add(key) {
      const tally = find(key) ?? begin(key);
      tally.count++;
      return () => {
        tally.count--;
        const isOver = tally.count === 0 && !tally.isReported; // the window begins with the next one
        if (isOver && tallies.peek(key) === tally) tallies.delete(key);
      };
    },
    isFirstRefusal(key) {
      const tally = find(key) ?? begin(key);
      const isFirst = !tally.isReported;
      tally.isReported = true;
      return isFirst;
    },
  };
}

/** Counts of this process alone. `clock` in milliseconds: best one that only grows. */
export function openMemoryCounters(clock: () => number): OpenCounter {
  return (_name, rule) => {
    const counter = createWindowCounter(rule, clock);
    return {
      async take(key) {
        const waitS = counter.getWaitS(key);
        if (waitS > 0) return { isTaken: false, waitS };
        const remove = counter.add(key);
        return { isTaken: true, giveBack: async () => remove() };
      },
      getWaitS: async (key) => counter.getWaitS(key),
      isFirstRefusal: async (key) => counter.isFirstRefusal(key),
    };
  };
}

/** What a caller takes one of: a key's window in a counter. */
export interface LimitSlot {
  counter: Counter;
  key: string;
}

/** The first that has no room, and the seconds until it has; undefined: all have. */
export async function findFull<Slot extends LimitSlot>(
  slots: readonly Slot[],
): Promise<{ slot: Slot; waitS: number } | undefined> {
  const waits = await Promise.all(slots.map(({ counter, key }) => counter.getWaitS(key)));
  const full = slots.map((slot, index) => ({ slot, waitS: waits[index] ?? 0 }));
  return full.find(({ waitS }) => waitS > 0);
}

/** What came of asking for one in each of several. */
export type SlotsTaking<Slot> =
  | { isTaken: true; giveBack(): Promise<void> }
  | { isTaken: false; slot: Slot; waitS: number };

/** Counts one in each, in their order; where one is full, it is named, and nothing stays counted. */
export async function takeSlots<Slot extends LimitSlot>(slots: readonly Slot[]): Promise<SlotsTaking<Slot>> {
  const taken: (() => Promise<void>)[] = [];
  const giveBack = async () => void (await Promise.all(taken.map((one) => one())));
  for (const slot of slots) {
    const taking = await slot.counter.take(slot.key);
    if (!taking.isTaken) {
      await giveBack();
      return { isTaken: false, slot, waitS: taking.waitS };
    }
    taken.push(taking.giveBack);
  }
  return { isTaken: true, giveBack };
}

/**
 * Counts one for a key.
 * @returns how to give it back. @throws AppError too_many_requests with the seconds to wait.
 */
export async function takeSlot(counter: Counter, key: string): Promise<() => Promise<void>> {
  const taking = await counter.take(key);
  if (!taking.isTaken) throw new AppError("too_many_requests", { retryAfterS: taking.waitS });
  return taking.giveBack;
}
