import { type RefCallback, useCallback } from "react";

/** Of the root; the style sheet keeps notices above it. */
const PROPERTY = "--foot-height";

/** Tells how high what stands at the foot of the window is, for as long as it is there: its buttons may take several lines. */
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
