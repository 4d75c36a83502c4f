import { type ComponentType, createContext } from "react";
import type { ModelRecord } from "#contract/content/models.ts";

/** History state of a form that was opened from its list: closing it goes back there instead of adding an entry. */
export const OPENED_FROM_LIST = { openedFromList: true } as const;

export function isOpenedFromList(state: unknown): boolean {
  return typeof state === "object" && state !== null && "openedFromList" in state;
}

/** Numbers of the rows that the list beneath a drawer shows, in its order. */
export const ShownRowsContext = createContext<readonly number[]>([]);

export interface RecordPartProps {
  record: ModelRecord;
}

/** A view of an opened record beside its form and its history. The address names it. */
export interface OwnTab {
  name: string;
  /** In the reader's language. */
  label: string;
  Panel: ComponentType<RecordPartProps>;
}

/** What a screen shows of an opened record by itself. */
export interface RecordParts {
  /** Above the views: what matters most of the record. */
  Head?: ComponentType<RecordPartProps>;
  tabs?: readonly OwnTab[];
}

export const RecordPartsContext = createContext<RecordParts>({});
