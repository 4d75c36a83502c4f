import { useCallback, useEffect, useRef, useState } from "react";

/** The value once it has stayed the same for `delayMs`. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

/** Work that a second click doesn't begin again while it is under way: buttons show so only with their next drawing. */
export function useOneAtATime(work: () => Promise<void>): () => void {
  const isUnderWay = useRef(false);
  return useCallback(() => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void work().finally(() => {
      isUnderWay.current = false;
    });
  }, [work]);
}

/**
 * Fetches the code of the screen that most likely comes next, once the page is at rest. What fails is asked for again when
 * somebody goes there. Browsers without `requestIdleCallback` do without. `load`: the same `import()` as the router's.
 */
export function usePreload(load: () => Promise<unknown>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen
  useEffect(() => {
    if (typeof requestIdleCallback !== "function") return;
    const handle = requestIdleCallback(() => void load().catch(() => undefined), { timeout: 2000 });
    return () => cancelIdleCallback(handle);
  }, []);
}
