import * as z from "zod/mini";
import { MAX_INT4 } from "../../db/sql.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

/** The number of a text, where it is a whole one of 32 bits. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) <= MAX_INT4 ? value : undefined;
}

/** A whole number of 32 bits. */
export const kind: FieldKind = {
  name: "integer",
  wireType: "IntegerField",
  control: "number",
  columnTypes: ["integer"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  valueSchema: ({ range }) =>
    z.int().check(z.minimum(range?.min ?? -MAX_INT4), z.maximum(range?.max ?? MAX_INT4)),
  isEmpty: () => false,
  toParameter: (value) => value,
  parameterCast: "::integer",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "integer", parse: parseInteger }),
  exportColumns: (column, field) => [
    { header: field.name, sql: `${column}::text`, free: false, cell: "number" },
  ],
};
