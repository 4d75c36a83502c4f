import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import {
  createShortcuts,
  isShortcutsEnabled,
  type Shortcut,
  subscribeShortcutsEnabled,
} from "./shortcuts.ts";

/** The shortcuts of this page; the layout hands the keys on to them. */
export const ShortcutsContext = createContext(createShortcuts());

/**
 * A shortcut for as long as the calling part is on the screen; `run` may be a new function at each drawing. `isEverywhere`:
 * good over a drawer too.
 */
export function useShortcut(
  keys: string,
  labelKey: Shortcut["labelKey"],
  run: Shortcut["run"],
  isEnabled = true,
  isEverywhere = false,
): void {
  const shortcuts = useContext(ShortcutsContext);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isEnabled) return;
    return shortcuts.register({ keys, labelKey, isEverywhere, run: (event) => latest.current(event) });
  }, [shortcuts, keys, labelKey, isEnabled, isEverywhere]);
}

/** Hands the keys of the window on to the shortcuts. Called once, by the layout. */
export function useShortcutKeys(): void {
  const shortcuts = useContext(ShortcutsContext);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => void shortcuts.handle(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [shortcuts]);
}

/** Whether shortcuts of single keys are on, followed while it changes. */
export function useShortcutsEnabled(): boolean {
  return useSyncExternalStore(subscribeShortcutsEnabled, isShortcutsEnabled);
}
