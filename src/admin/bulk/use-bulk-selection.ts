import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { ListView } from "../views/list/list-view.ts";
import {
  type BulkHandOver,
  type BulkOperation,
  EVERYTHING,
  NOTHING,
  parseHandOver,
  type Selection,
} from "../views/list/selection.ts";
import { type SelectionState, useSelection } from "../views/list/use-selection.ts";

/**
 * Without a hand-over the address alone says what is meant: all that an explicit query finds; without one nothing, so that
 * nobody deletes a whole model by opening a link.
 */
function toFirstSelection(view: ListView): Selection {
  return view.search !== "" || view.filters.length > 0 ? EVERYTHING : NOTHING;
}

/** The selection, kept with the entry of the history: Back, Forward and a reload find it again. */
export function useBulkSelection(view: ListView): {
  state: SelectionState;
  /** What the list asked for. */
  operation: BulkOperation | undefined;
} {
  const { state: given, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [handedOver] = useState(() => parseHandOver(given));
  const key = JSON.stringify([view.search, view.filters]);
  const kept = parseHandOver(given);
  // An entry that was gone back to has kept its own; one that a new search has made begins with nothing.
  const own = kept?.madeIn === key ? kept.selection : NOTHING;
  const state = useSelection(key, handedOver?.selection ?? toFirstSelection(view), own);
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
