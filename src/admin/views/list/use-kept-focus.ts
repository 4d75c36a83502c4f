import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { ModelRecord } from "#contract/models.ts";

/** Each row is marked with the key of its record, in the table and on cards. */
const ROW = "[data-row-key]";
const FOCUSABLE = "a, button";

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
