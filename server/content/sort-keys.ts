import type { Language } from "#contract/languages.ts";
import type { Field, SortTerm } from "#server/models/model.ts";
import { ALIAS, sortKeySql, toFullSort } from "./list-sql.ts";
import type { ModelView } from "./view.ts";

/** One term of a list's order. PostgreSQL takes NULL for the greatest value: last going up, first going down. */
export interface SortKey {
  field: string;
  sql: string;
  direction: SortTerm["direction"];
  mayBeNull: boolean;
}

/** Whether the key is the column itself, so that what the table says of NULL holds for it. */
function isBareColumn(field: Field, sql: string): boolean {
  const column = field.sql(ALIAS);
  return field.column !== null && (sql === column || sql.startsWith(`${column} COLLATE `));
}

/** The order of a list, the id at its end. */
export function toSortKeys(view: ModelView, sort: readonly SortTerm[], lang: Language): SortKey[] {
  const { model } = view;
  return toFullSort(model, sort).map((term) => {
    const sql = sortKeySql(model, term, lang);
    const field = model.fieldByName.get(term.field);
    const mayBeNull = term.field !== "id" && !(field && !field.isNullable && isBareColumn(field, sql));
    return { field: term.field, sql, direction: term.direction, mayBeNull };
  });
}

/** `ORDER BY …` of keys, or of the same keys from the other end. */
export function keyOrderSql(keys: readonly SortKey[], isReversed = false): string {
  const terms = keys.map(({ sql, direction }) => {
    const turned = direction === "asc" ? "desc" : "asc";
    return `${sql} ${isReversed ? turned : direction}`;
  });
  return `ORDER BY ${terms.join(", ")}`;
}
