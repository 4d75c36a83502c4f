import { useContext, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { isUnderModal } from "../../shortcuts/is-held-back.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { ShownRowsContext } from "../list/shown-rows.ts";

/** The row that was read last, or, where that has left the list, the one that is nearest to where it stood. */
function focusRow(order: readonly number[], id: number): void {
  const at = order.indexOf(id);
  const nearest = [id, ...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).reverse()];
  const toLink = (row: number) => document.querySelector<HTMLElement>(`[data-row-key="${row}"] a`);
  const shown = nearest.find((row) => toLink(row) !== null);
  if (shown !== undefined) toLink(shown)?.focus({ preventScroll: true });
}

/**
 * The rows in the order in which the person began to go through them: what was done with one moves it to another place of the list
 * or out of it, and that must not decide which comes next. Rows that are new come last.
 */
function useOrder(ids: readonly number[], id: number | undefined): readonly number[] {
  const [order, setOrder] = useState(ids);
  const isBegun = id !== undefined && order.includes(id);
  const added = ids.filter((each) => !order.includes(each));
  const next = isBegun ? (added.length === 0 ? order : [...order, ...added]) : ids;
  if (next !== order) setOrder(next);
  return next;
}

export interface Neighbours {
  hasNext: boolean;
  hasPrevious: boolean;
  step: (by: 1 | -1) => void;
}

/**
 * On to the next or the previous row of the list beneath, in the same drawer, also by `j` and `k`. The closed drawer leaves the
 * focus at the row that was read last. Undefined for sources that are not stepped through.
 */
export function useNeighbours(model: RecordSource, id: number | undefined): Neighbours | undefined {
  const order = useOrder(useContext(ShownRowsContext), id);
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isStepped = model.isStepped === true && id !== undefined;
  const at = id === undefined ? -1 : order.indexOf(id);
  const last = useRef({ order, id });
  useEffect(() => {
    last.current = { order, id };
  }, [order, id]);

  const toNext = (by: 1 | -1) => (at < 0 && by < 0 ? undefined : order[at + by]);
  function step(by: 1 | -1): void {
    const next = toNext(by);
    if (next === undefined || isUnderModal()) return;
    void navigate({ pathname: model.paths.edit(next), search }, { replace: true, state });
  }
  useShortcut("j", "list.shortcuts.nextRecord", () => step(1), isStepped, true);
  useShortcut("k", "list.shortcuts.previousRecord", () => step(-1), isStepped, true);

  useEffect(() => {
    if (!isStepped) return;
    return () => {
      const { order: rows, id: read } = last.current;
      if (read !== undefined) focusRow(rows, read);
    };
  }, [isStepped]);
  if (!isStepped) return undefined;
  return { hasNext: toNext(1) !== undefined, hasPrevious: toNext(-1) !== undefined, step };
}
