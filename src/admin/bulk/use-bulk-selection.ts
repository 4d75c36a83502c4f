import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { type SelectionState, useSelection } from "../views/list/use-selection.ts";
import { type ListView, toScopeKey } from "../views/state/list-view.ts";
import { type BulkHandOver, type BulkOperation, NOTHING, parseHandOver } from "../views/state/selection.ts";

/**
 * The selection, kept with the entry of the history: Back, Forward and a reload find it again. It begins with what was selected in
 * the list: a link alone, with a search or without, selects nothing.
 */
export function useBulkSelection(view: ListView): {
  state: SelectionState;
  /** What the list asked for. */
  operation: BulkOperation | undefined;
} {
  const { state: given, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [handedOver] = useState(() => parseHandOver(given));
  const key = toScopeKey(view);
  const kept = parseHandOver(given);
  // An entry that was gone back to has kept its own; one that a new search has made begins with nothing.
  const own = kept?.madeIn === key ? kept.selection : NOTHING;
  const state = useSelection(key, handedOver?.selection ?? NOTHING, own);
  const { selection } = state;
  const operation = handedOver?.operation;

  const isKept = kept?.madeIn === key && JSON.stringify(kept.selection) === JSON.stringify(selection);
  useEffect(() => {
    if (isKept) return;
    const next = { selection, operation, madeIn: key } satisfies BulkHandOver;
    void navigate({ pathname, search }, { replace: true, state: next, preventScrollReset: true });
  }, [isKept, selection, operation, key, pathname, search, navigate]);

  return { state, operation };
}
