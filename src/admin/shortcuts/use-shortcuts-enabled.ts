import { useSyncExternalStore } from "react";
import { isShortcutsEnabled, subscribeShortcutsEnabled } from "./shortcuts-enabled.ts";

/** Whether shortcuts of single keys are on, followed while it changes. */
export function useShortcutsEnabled(): boolean {
  return useSyncExternalStore(subscribeShortcutsEnabled, isShortcutsEnabled);
}
