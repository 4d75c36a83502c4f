import type { Language } from "#contract/languages.ts";
import { maySortNull } from "#server/models/model.ts";
import type { SortTerm } from "../models/declare.ts";
import type { Field, Model } from "../models/model.ts";
import { ALIAS } from "./records/record-sql.ts";
import type { ModelView } from "./view.ts";

/** One term of a list's order. Rows without a value come last, whichever way it goes. */
export interface SortKey {
  field: string;
  sql: string;
  direction: SortTerm["direction"];
  mayBeNull: boolean;
}

/** The order of a list, the id at its end. */
export function toSortKeys(view: ModelView, sort: readonly SortTerm[], lang: Language): SortKey[] {
  const { model } = view;
  return toFullSort(model, sort).map((term) => {
    const sql = sortKeySql(model, term, lang);
    const field = model.fieldByName.get(term.field);
    const mayBeNull = term.field !== "id" && (!field || maySortNull(field, field.sql(ALIAS), sql));
    return { field: term.field, sql, direction: term.direction, mayBeNull };
  });
}

/** One term of `ORDER BY`. A key that is never null says nothing of NULL, so that one index serves it in both directions. */
function termSql({ sql, direction, mayBeNull }: SortKey, isReversed: boolean): string {
  const turned = direction === "asc" ? "desc" : "asc";
  const nulls = mayBeNull ? ` NULLS ${isReversed ? "FIRST" : "LAST"}` : "";
  return `${sql} ${isReversed ? turned : direction}${nulls}`;
}

/** `ORDER BY …` of keys, or of the same keys from the other end. */
export function keyOrderSql(keys: readonly SortKey[], isReversed = false): string {
  return `ORDER BY ${keys.map((key) => termSql(key, isReversed)).join(", ")}`;
}

/** The sort of a list: the asked one or the model's own, and the key at its end, so that pages neither repeat nor miss a row. */
export function toFullSort(model: Model, sort: readonly SortTerm[]): readonly SortTerm[] {
  const asked = sort.length > 0 ? sort : model.defaultSort;
  const key = asked.findIndex((term) => term.field === "id");
  // What comes after the key decides nothing.
  if (key >= 0) return asked.slice(0, key + 1);
  return [...asked, { field: "id", direction: asked.at(-1)?.direction ?? "asc" }];
}

/** Whether the column has the empty text for what is missing. An index of a large model holds texts as they are. */
export function isEmptyWhenMissing(model: Model, { kind, isNullable, isRequired }: Field): boolean {
  return !model.isLarge && kind.columnTypes.includes("text") && !isNullable && !isRequired;
}

/** SQL of what a term sorts by. */
export function sortKeySql(model: Model, term: SortTerm, lang: Language): string {
  const field = model.fieldByName.get(term.field);
  if (!field || term.field === "id") return `${ALIAS}.id`;
  const value = field.sql(ALIAS);
  return field.kind.sortSql(isEmptyWhenMissing(model, field) ? `nullif(${value}, '')` : value, lang);
}

/** What the sort keys of a row are, as PostgreSQL's text; null for NULL. */
export type KeyValues = readonly (string | null)[];
