import { useContext, useState } from "react";
import type { Shortcut } from "../shortcuts/shortcuts.ts";
import { ShortcutsContext, useShortcut } from "../shortcuts/use-shortcut.ts";

/** What lies over every screen; the sheet lists what was good on the screen when it was asked for. */
export type FrameDialog = { kind: "palette" } | { kind: "shortcuts"; shortcuts: readonly Shortcut[] };

/** The dialogs of the frame and their keys. */
export function useFrameDialog() {
  const shortcuts = useContext(ShortcutsContext);
  const [dialog, setDialog] = useState<FrameDialog>();
  const openPalette = () => setDialog({ kind: "palette" });
  const openShortcuts = () => setDialog({ kind: "shortcuts", shortcuts: shortcuts.list() });
  const close = () => setDialog(undefined);
  useShortcut(
    "Mod+k",
    "palette.title",
    () => (dialog?.kind === "palette" ? close() : openPalette()),
    true,
    true,
  );
  useShortcut("?", "shortcuts.title", openShortcuts, true, true);
  return { dialog, openPalette, openShortcuts, close };
}
