import { useContext, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { isUnderModal } from "../../shortcuts/is-held-back.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { ShownRowsContext } from "../list/shown-rows.ts";

function focusRow(id: number): void {
  document.querySelector<HTMLElement>(`[data-row-key="${id}"] a`)?.focus({ preventScroll: true });
}

/**
 * `j` and `k` over an opened record: on to the next or the previous row of the list beneath, in the same drawer. The closed drawer
 * leaves the focus at the row that was read last. Only for sources that are stepped through.
 */
export function useNeighbourKeys(model: RecordSource, id: number | undefined): void {
  const ids = useContext(ShownRowsContext);
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isStepped = model.isStepped === true && id !== undefined;
  const at = id === undefined ? -1 : ids.indexOf(id);
  // Where the record stood: what was done with it may have taken it out of the list.
  const place = useRef(0);
  const last = useRef(id);
  useEffect(() => {
    if (at >= 0) place.current = at;
    last.current = id;
  }, [at, id]);

  function step(by: 1 | -1): void {
    const isGone = at < 0;
    const next = ids[isGone && by > 0 ? place.current : place.current + by];
    if (next === undefined || isUnderModal()) return;
    void navigate({ pathname: model.paths.edit(next), search }, { replace: true, state });
  }
  useShortcut("j", "list.shortcuts.nextRecord", () => step(1), isStepped, true);
  useShortcut("k", "list.shortcuts.previousRecord", () => step(-1), isStepped, true);

  useEffect(() => {
    if (!isStepped) return;
    return () => {
      if (last.current !== undefined) focusRow(last.current);
    };
  }, [isStepped]);
}
