import type { Language } from "#contract/languages.ts";
import { maySortNull } from "#server/models/model.ts";
import type { SortTerm } from "../models/declare.ts";
import { ALIAS, sortKeySql, toFullSort } from "./list-sql.ts";
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
