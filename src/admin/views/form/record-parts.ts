import { type ComponentType, createContext } from "react";
import type { ModelRecord } from "#contract/models.ts";

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
