import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { ModelRecord } from "#contract/content/models.ts";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";

const ROW = "[data-row-key]";
const FOCUSABLE = "a, button";
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
  next?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
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

/** What has the focus inside of the table, and where: which row, and which of its links and buttons. */
interface Place {
  element: Element;
  row: number;
  part: number;
}

function findPlace(table: Element | null, element: EventTarget | null): Place | undefined {
  if (!table || !(element instanceof Element)) return undefined;
  const row = element.closest(ROW);
  if (!row || !table.contains(row)) return undefined;
  const parts = [...row.querySelectorAll(FOCUSABLE)];
  return { element, row: [...table.querySelectorAll(ROW)].indexOf(row), part: parts.indexOf(element) };
}

/**
 * A row that somebody else deletes must not take the focus along to the top of the page: what has taken its place gets it.
 * @returns for the element around the table.
 */
export function useKeptFocus(rows: readonly ModelRecord[]): RefObject<HTMLDivElement | null> {
  const table = useRef<HTMLDivElement>(null);
  const place = useRef<Place>(undefined);

  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      place.current = findPlace(table.current, target);
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have come or gone
  useLayoutEffect(() => {
    const was = place.current;
    if (!was || was.element.isConnected || document.activeElement !== document.body) return;
    const shown = [...(table.current?.querySelectorAll(ROW) ?? [])];
    const row = shown[Math.min(was.row, shown.length - 1)];
    const parts = row?.querySelectorAll<HTMLElement>(FOCUSABLE);
    parts?.[Math.min(Math.max(was.part, 0), parts.length - 1)]?.focus({ preventScroll: true });
  }, [rows]);

  return table;
}
