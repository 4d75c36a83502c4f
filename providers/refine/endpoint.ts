import type { BaseRecord } from "@refinedev/core";
import type { OwnQuery } from "./list-query.ts";

/** A page of rows as Refine carries it, with what the documented envelope says beside it. */
export interface Rows {
  data: BaseRecord[];
  total: number;
  /** `total` is the planner's estimate. */
  isEstimate?: boolean;
  /** Where the next page begins, whatever was written meanwhile; Refine's infinite lists read it. */
  cursor?: { next?: string };
  /** Counts of all rows that the list's filters find, by name, where the answer has them. */
  summary?: Readonly<Record<string, number>>;
  /** Rows of another answer, which have no ids of their own: nothing can be opened or written. */
  isFallback?: boolean;
}

/** Another call that knows some of the rows, for a back end that answers the list with 404. */
export interface Fallback {
  path: string;
  /** Its rows in the list's own names, without `id`. */
  pick: (answer: unknown) => BaseRecord[];
}

/** Where a Refine resource lives, and how its answers read. Paths end with a slash. */
export interface Endpoint {
  list: string;
  /** Of one record; its id and a slash follow. */
  one: string;
  /** How one record is changed: only what is sent changes. */
  updateMethod: "PUT" | "PATCH";
  /** Absent: the documented query of the admin service, with `filters[i][…]`. */
  query?: OwnQuery;
  readList: (answer: unknown) => Rows;
  /** What of a change travels under another name; absent: fields as they are. */
  toBody?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readOne: (answer: unknown) => BaseRecord;
  /** Asked where the list is answered with 404. Here, because the console takes a 404 as a refusal of what it shows. */
  fallback?: Fallback;
}
