import * as z from "zod/mini";
import { storable } from "#contract/values.ts";
import { plainSearchSql, TEXT_OPERATORS, textFilter } from "../filter-sql.ts";
import type { Field, FieldKind } from "../model.ts";

/** Schema of a single text: trimmed, storable, within the field's length. */
export function textSchema(field: Pick<Field, "maxLength">) {
  return z.string().check(z.trim(), storable, z.maxLength(field.maxLength ?? 100_000));
}

/** A short text on one line. */
export const kind: FieldKind = {
  name: "text",
  holdsAddresses: true,
  wireType: "CharField",
  control: "text",
  columnTypes: ["text"],
  operators: TEXT_OPERATORS,
  isSortable: true,
  valueSchema: textSchema,
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::text",
  readSql: (column) => column,
  textSql: (column) => column,
  searchSql: plainSearchSql,
  sortSql: (column, lang) => `${column} COLLATE "${lang}-x-icu"`,
  filterSql: textFilter,
  exportColumns: (column, field) => [{ header: field.name, sql: column, free: true }],
};
