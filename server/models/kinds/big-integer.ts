import * as z from "zod/mini";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

/** The number of a text, where it is one that JSON carries exactly: up to 2^53 - 1. */
export function parseBigInteger(text: string): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A whole number of 64 bits, as far as JSON carries it exactly. */
export const kind: FieldKind = {
  name: "big_integer",
  wireType: "BigIntegerField",
  control: "number",
  columnTypes: ["bigint"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  valueSchema: () => z.int(),
  isEmpty: () => false,
  toParameter: (value) => value,
  parameterCast: "::bigint",
  // The driver keeps int8 as text; a double travels as a number.
  readSql: (column) => `${column}::float8`,
  jsonSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "bigint", parse: parseBigInteger }),
  exportColumns: (column, field) => [
    { header: field.name, sql: `${column}::text`, free: false, cell: "number" },
  ],
};
