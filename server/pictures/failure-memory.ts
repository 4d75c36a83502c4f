import { LRUCache } from "lru-cache";

const MAX_KEYS = 1000;
const REMEMBERED_MS = 10 * 60 * 1000;

/** What could not be drawn a while ago, so that nobody makes the server try again and again. */
export interface FailureMemory {
  add(key: string): void;
  has(key: string): boolean;
}

export function createFailureMemory(now: () => Date): FailureMemory {
  const failedAt = new LRUCache<string, number>({ max: MAX_KEYS });
  return {
    add: (key) => void failedAt.set(key, now().getTime()),
    has: (key) => now().getTime() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS,
  };
}
