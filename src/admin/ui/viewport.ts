import { type RefCallback, useCallback, useSyncExternalStore } from "react";

/** Sidebar breakpoint (specification B section 9), for whatever folds on a phone. The style sheets have the same number. */
export const WIDE = "(min-width: 768px)";

/** Whether a media query holds, followed while it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Of the root; the style sheet keeps notices above it. */
const PROPERTY = "--foot-height";

/** Publishes the height of what stands at the foot of the window, for as long as it is there: its buttons may take several lines. */
export function useFootHeight(): RefCallback<HTMLElement> {
  return useCallback((foot) => {
    if (!foot) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(PROPERTY, `${foot.offsetHeight}px`));
    observer.observe(foot);
    return () => {
      observer.disconnect();
      style.removeProperty(PROPERTY);
    };
  }, []);
}
