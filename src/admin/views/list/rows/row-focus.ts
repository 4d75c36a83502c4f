import type { RefObject } from "react";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";

const ROW = "[data-row-key]";
const LINK = "a, button";
const BOX = "input[type=checkbox]";

/** The row with the focus in it: where the keys begin. */
function findRow(frame: Element | null): HTMLElement | undefined {
  const row = document.activeElement?.closest<HTMLElement>(ROW);
  return row && frame?.contains(row) ? row : undefined;
}

/** From row to row, by its first link: the focus is the cursor, so that screen readers say where it is. */
function moveFocus(frame: Element | null, step: 1 | -1): void {
  const rows = [...(frame?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const row = findRow(frame);
  const next = row ? rows[rows.indexOf(row) + step] : rows[step > 0 ? 0 : rows.length - 1];
  next?.querySelector<HTMLElement>(LINK)?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** `j` and `k` go from row to row, `e` opens the one with the focus, `x` selects it. */
export function useRowKeys(frame: RefObject<HTMLElement | null>, canSelect: boolean): void {
  useShortcut("j", "list.shortcuts.next", () => moveFocus(frame.current, 1));
  useShortcut("k", "list.shortcuts.previous", () => moveFocus(frame.current, -1));
  useShortcut("e", "list.shortcuts.open", () =>
    findRow(frame.current)?.querySelector<HTMLElement>("a")?.click(),
  );
  useShortcut(
    "x",
    "list.shortcuts.select",
    () => findRow(frame.current)?.querySelector<HTMLElement>(BOX)?.click(),
    canSelect,
  );
}
