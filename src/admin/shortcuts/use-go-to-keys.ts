import { useContext, useEffect } from "react";
import { useNavigate } from "react-router";
import type { Screen } from "../layout/use-screens.ts";
import { findGoToKeys } from "./go-to-keys.ts";
import { ShortcutsContext } from "./use-shortcut.ts";

/** `g` and a letter lead to each of the screens that the person may see. */
export function useGoToKeys(screens: readonly Screen[]): void {
  const shortcuts = useContext(ShortcutsContext);
  const navigate = useNavigate();
  useEffect(() => {
    const undo = screens.flatMap(({ name, to, labelKey }) => {
      const keys = findGoToKeys(name);
      return keys ? [shortcuts.register({ keys, labelKey, run: () => void navigate(to) })] : [];
    });
    return () => {
      for (const forget of undo) forget();
    };
  }, [shortcuts, screens, navigate]);
}
