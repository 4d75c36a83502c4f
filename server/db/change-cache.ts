import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "./change-feed.ts";

/** How a value that isn't there is made, and the models whose change makes it stale. */
export interface ChangeSource<Value> {
  models: readonly string[];
  load(): Promise<Value>;
}

/** Values by key that a change of what they were made from drops. */
export interface ChangeCache<Value> {
  get(key: string, source: ChangeSource<Value>): Promise<Value>;
}

interface Entry<Value> {
  models: readonly string[];
  /** Shared by all who ask while it is made: it is made once. */
  value: Promise<Value>;
}

/**
 * Keeps at most `max` values. A change of a model drops those that were made from it, also one that is being made right
 * now: who asks after the change gets one made after it. While no connection hears of changes, nothing is kept.
 * A failure isn't kept either.
 */
export function createChangeCache<Value>(
  feed: Pick<ChangeFeed, "subscribe" | "isLive">,
  max: number,
): ChangeCache<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max });
  feed.subscribe((modelKey) => {
    if (modelKey === undefined) return entries.clear();
    for (const [key, entry] of entries.entries()) if (entry.models.includes(modelKey)) entries.delete(key);
  });
  return {
    get(key, { models, load }) {
      if (!feed.isLive()) return load();
      const known = entries.get(key);
      if (known) return known.value;
      const entry: Entry<Value> = { models, value: load() };
      entries.set(key, entry);
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry.value;
    },
  };
}
