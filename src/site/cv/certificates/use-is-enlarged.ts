import { useSyncExternalStore } from "react";

/** Whether fingers have enlarged the page: one finger moves it then. */
export function isEnlarged(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1.01;
}

function subscribe(onChange: () => void): () => void {
  window.visualViewport?.addEventListener("resize", onChange);
  return () => window.visualViewport?.removeEventListener("resize", onChange);
}

/** `isEnlarged`, drawn anew when it changes. */
export function useIsEnlarged(): boolean {
  return useSyncExternalStore(subscribe, isEnlarged, () => false);
}
