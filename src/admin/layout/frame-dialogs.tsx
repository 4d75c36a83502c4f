import { App } from "antd";
import { type ComponentType, useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Screen } from "../navigation/screens.tsx";
import type { PaletteProps } from "../palette/palette.tsx";
import type { Shortcut } from "../shortcuts/shortcuts.ts";
import type { ShortcutsSheetProps } from "../shortcuts/shortcuts-sheet.tsx";
import { ShortcutsContext, useShortcut } from "../shortcuts/use-shortcut.ts";

/** What lies over every screen; the sheet lists what was good on the screen when it was asked for. */
type FrameDialog = { kind: "palette" } | { kind: "shortcuts"; shortcuts: readonly Shortcut[] };

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

interface Parts {
  Palette: ComponentType<PaletteProps>;
  ShortcutsSheet: ComponentType<ShortcutsSheetProps>;
}

/** Both in files of their own, apart from the first screen's. */
async function loadParts(): Promise<Parts> {
  const [{ Palette }, { ShortcutsSheet }] = await Promise.all([
    import("../palette/palette.tsx"),
    import("../shortcuts/shortcuts-sheet.tsx"),
  ]);
  return { Palette, ShortcutsSheet };
}

/** Safari has no idle callback. */
function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(work, { timeout: 10_000 });
  return () => window.cancelIdleCallback(handle);
}

/**
 * The parts, fetched when the browser has nothing else to do, or when they are wanted before that. A file that can't be fetched
 * costs the palette, not the screen with what is typed there.
 */
function useParts(isWanted: boolean, onFail: () => void): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  const fail = useRef(onFail);
  useEffect(() => {
    fail.current = onFail;
  });
  useEffect(() => {
    let isGone = false;
    const load = (onError: () => void) =>
      loadParts().then(
        (loaded) => !isGone && setParts(loaded),
        () => !isGone && onError(),
      );
    // Nobody has asked for it yet: it is tried again when somebody does.
    const stop = isWanted ? undefined : whenIdle(() => void load(() => undefined));
    if (isWanted) void load(() => fail.current());
    return () => {
      isGone = true;
      stop?.();
    };
  }, [isWanted]);
  return parts;
}

interface FrameDialogsProps {
  dialog: FrameDialog | undefined;
  screens: readonly Screen[];
  onOpenShortcuts: () => void;
  onClose: () => void;
}

/** The palette or the sheet of shortcuts, over whatever screen there is. */
export function FrameDialogs({ dialog, screens, onOpenShortcuts, onClose }: FrameDialogsProps) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const parts = useParts(dialog !== undefined, () => {
    onClose();
    notification.error({ message: t("palette.loadFailed") });
  });
  if (!dialog || !parts) return null;
  const { Palette, ShortcutsSheet } = parts;
  if (dialog.kind === "shortcuts") return <ShortcutsSheet shortcuts={dialog.shortcuts} onClose={onClose} />;
  return <Palette screens={screens} onOpenShortcuts={onOpenShortcuts} onClose={onClose} />;
}
