import { useEffect } from "react";

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
