import { createContext, useContext, useEffect, useRef } from "react";
import { createShortcuts, type Shortcut } from "./shortcuts.ts";

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
