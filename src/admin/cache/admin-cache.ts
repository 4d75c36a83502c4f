import type { Query, QueryCacheNotifyEvent, QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { getLifetimeMs, isAdminData } from "./freshness.ts";

/** Specification B section 9. */
export const MAX_ENTRIES = 100;
const CLEAN_UP_INTERVAL_MS = 300_000;

/** Look-ups since the page began: `hits` were answered from the cache, `misses` by a request. */
export interface CacheStats {
  entries: number;
  hits: number;
  misses: number;
}

export interface AdminCache {
  getStats(): CacheStats;
  /** Begins to count, to evict and to clean up; gives the way to stop. */
  open(): () => void;
}

/** Nothing on the screen uses it, and no fetch of it is under way. */
const isIdle = (query: Query) => query.getObserversCount() === 0 && query.state.fetchStatus === "idle";

const isAsking = ({ options }: Query["observers"][number]) => options.enabled !== false;

/** Events by which an entry is read, mounted, fetched or left. */
function isAccess(event: QueryCacheNotifyEvent): boolean {
  if (event.type === "updated") return event.action.type === "fetch";
  return ["added", "observerAdded", "observerRemoved"].includes(event.type);
}

/**
 * The admin data cache (spec/decisions): Refine's query cache with at most 100 entries, of which the one that was accessed
 * longest ago goes first, and never one that the screen uses; expired ones are removed every five minutes.
 */
export function createAdminCache(client: QueryClient): AdminCache {
  const cache = client.getQueryCache();
  /** Place of each entry in the order of accesses: a clock has too few ticks between two of them. */
  const accesses = new Map<string, number>();
  let accessCount = 0;
  /** What each observer was counted for: one that asks for nothing at first begins to by its options. */
  const askers = new WeakMap<object, Query>();
  let hits = 0;
  let misses = 0;

  const findEntries = () => cache.getAll().filter(({ queryKey }) => isAdminData(queryKey));
  const getAccess = ({ queryHash }: Query) => accesses.get(queryHash) ?? 0;

  function evict(justAccessed: Query): void {
    const entries = findEntries();
    const surplus = entries.length - MAX_ENTRIES;
    if (surplus <= 0) return;
    const idle = entries.filter((entry) => entry !== justAccessed && isIdle(entry));
    idle.sort((a, b) => getAccess(a) - getAccess(b));
    for (const entry of idle.slice(0, surplus)) cache.remove(entry);
  }

  /**
   * Whoever comes while a fetch is under way shares its answer: one miss, however many wait. Whoever comes while something else
   * shows a fresh entry shares that: each row of a list reads the models, and would make the hit rate a count of rows.
   */
  function countLookUp(event: QueryCacheNotifyEvent): void {
    if (event.type !== "observerAdded" && event.type !== "observerOptionsUpdated") return;
    const { query, observer } = event;
    if (!isAsking(observer) || !query.observers.includes(observer)) return;
    if (askers.get(observer) === query) return;
    askers.set(observer, query);
    if (query.state.fetchStatus === "fetching") return;
    const { staleTime } = observer.options;
    if (query.isStaleByTime(typeof staleTime === "function" ? staleTime(query) : staleTime)) misses += 1;
    else if (!query.observers.some((other) => other !== observer && isAsking(other))) hits += 1;
  }

  function onEvent(event: QueryCacheNotifyEvent): void {
    if (!isAdminData(event.query.queryKey)) return;
    if (event.type === "removed") {
      accesses.delete(event.query.queryHash);
      return;
    }
    if (event.type === "observerRemoved") askers.delete(event.observer);
    countLookUp(event);
    if (!isAccess(event)) return;
    accessCount += 1;
    accesses.set(event.query.queryHash, accessCount);
    evict(event.query);
  }

  function cleanUp(): void {
    for (const entry of findEntries()) {
      const isExpired = entry.isStaleByTime(getLifetimeMs(entry.queryKey));
      if (isExpired && isIdle(entry)) cache.remove(entry);
    }
  }

  return {
    getStats: () => ({ entries: findEntries().length, hits, misses }),
    open() {
      const stopWatching = cache.subscribe(onEvent);
      const cleaning = setInterval(cleanUp, CLEAN_UP_INTERVAL_MS);
      return () => {
        stopWatching();
        clearInterval(cleaning);
      };
    },
  };
}

/** Undefined outside of the console's frame. */
export const AdminCacheContext = createContext<AdminCache | undefined>(undefined);

export function useAdminCache(): AdminCache {
  const cache = useContext(AdminCacheContext);
  if (!cache) throw new Error("AdminCacheContext is missing");
  return cache;
}
