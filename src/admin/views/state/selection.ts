import { useCallback, useState } from "react";
import * as z from "zod/mini";

/**
 * Rows that somebody has chosen: some by their ids, or everything that the list's query finds, without a few. A query is
 * never turned into ids: a million rows are chosen as quickly as two.
 */
export type Selection =
  | { kind: "ids"; ids: readonly number[] }
  | { kind: "query"; excluded: readonly number[] };

export const NOTHING: Selection = { kind: "ids", ids: [] };
export const EVERYTHING: Selection = { kind: "query", excluded: [] };

export function isSelected(selection: Selection, id: number): boolean {
  return selection.kind === "ids" ? selection.ids.includes(id) : !selection.excluded.includes(id);
}

/** How many rows it holds, of `total` that the query finds. */
export function countSelected(selection: Selection, total: number): number {
  return selection.kind === "ids" ? selection.ids.length : Math.max(0, total - selection.excluded.length);
}

function without(ids: readonly number[], removed: readonly number[]): number[] {
  const gone = new Set(removed);
  return ids.filter((id) => !gone.has(id));
}

/** The selection with these rows in it, or without them. */
export function setSelected(selection: Selection, ids: readonly number[], isChosen: boolean): Selection {
  const isAdding = (selection.kind === "ids") === isChosen;
  const listed = selection.kind === "ids" ? selection.ids : selection.excluded;
  const next = isAdding ? [...listed, ...without(ids, listed)] : without(listed, ids);
  return selection.kind === "ids" ? { kind: "ids", ids: next } : { kind: "query", excluded: next };
}

/** What the box above a page's rows shows. */
export function toPageState(selection: Selection, ids: readonly number[]): "none" | "some" | "all" {
  const chosen = ids.filter((id) => isSelected(selection, id)).length;
  if (chosen === 0) return "none";
  return chosen === ids.length ? "all" : "some";
}

/** The rows between two of a page, both with it, in the order shown; `to` alone when the other isn't on the page. */
export function toRange(ids: readonly number[], from: number | undefined, to: number): readonly number[] {
  const ends = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b);
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : ids.slice(first, last + 1);
}

export const BULK_OPERATIONS = ["update", "delete", "export"] as const;
export type BulkOperation = (typeof BULK_OPERATIONS)[number];

/** What a list hands over to the bulk page as history state, beside its query in the address. */
export interface BulkHandOver {
  selection: Selection;
  /** Undefined: nobody has said yet what is to happen. */
  operation?: BulkOperation | undefined;
  /** Of a selection that the bulk page keeps: the search and filters that it was made in. */
  madeIn?: string | undefined;
}

const handOver = z.object({
  selection: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ids"), ids: z.array(z.int()) }),
    z.object({ kind: z.literal("query"), excluded: z.array(z.int()) }),
  ]),
  operation: z.optional(z.enum(BULK_OPERATIONS)),
  madeIn: z.optional(z.string()),
});

/** Reads a history state; undefined where nothing was handed over, as after a copied link. */
export function parseHandOver(state: unknown): BulkHandOver | undefined {
  return handOver.safeParse(state).data;
}

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
