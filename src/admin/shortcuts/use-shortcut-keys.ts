import { useContext, useEffect } from "react";
import { ShortcutsContext } from "./use-shortcut.ts";

/** Hands the keys of the window on to the shortcuts. Called once, by the layout. */
export function useShortcutKeys(): void {
  const shortcuts = useContext(ShortcutsContext);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => void shortcuts.handle(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [shortcuts]);
}
