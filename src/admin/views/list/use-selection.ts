import { useCallback, useState } from "react";
import { NOTHING, type Selection, setSelected, toRange } from "../state/selection.ts";

interface Chosen {
  /** Of the query that the selection is of. */
  key: string;
  selection: Selection;
  /** The row whose box was used last: where a range begins. */
  last?: number | undefined;
}

export interface SelectionState {
  selection: Selection;
  set: (selection: Selection) => void;
  /** `isRange`: the rows between this one and the one before it too, as they stand in `pageIds`. */
  choose: (pageIds: readonly number[], id: number, isChosen: boolean, isRange: boolean) => void;
}

/**
 * What is selected in a list. `key` names what decides which rows there are. `first`: what the screen begins with; `next`: what is
 * selected once the key is another one.
 */
export function useSelection(key: string, first = NOTHING, next = NOTHING): SelectionState {
  const [state, setState] = useState<Chosen>({ key, selection: first });
  const isStale = state.key !== key;
  if (isStale) setState({ key, selection: next });
  const set = useCallback<SelectionState["set"]>(
    (selection) => setState((before) => ({ ...before, selection })),
    [],
  );
  const choose = useCallback<SelectionState["choose"]>((pageIds, id, isChosen, isRange) => {
    setState((before) => {
      const ids = isRange ? toRange(pageIds, before.last, id) : [id];
      return { ...before, selection: setSelected(before.selection, ids, isChosen), last: id };
    });
  }, []);
  return { selection: isStale ? next : state.selection, set, choose };
}
