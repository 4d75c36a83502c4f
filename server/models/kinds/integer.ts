import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "./shared.ts";

const MAX_INT4 = 2_147_483_647;

function parseInteger(text: string): number | undefined {
  if (!/^-?\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) <= MAX_INT4 ? value : undefined;
}

/** A whole number of 32 bits. */
export const integer: FieldKind = {
  name: "integer",
  wireType: "IntegerField",
  control: "number",
  columnTypes: ["integer", "smallint"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  valueSchema: () => z.int().check(z.minimum(-MAX_INT4), z.maximum(MAX_INT4)),
  isEmpty: () => false,
  toParameter: (value) => value,
  parameterCast: "::integer",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "integer", parse: parseInteger }),
  exportColumns: (column, field) => [{ header: field.name, sql: `${column}::text`, free: false }],
};
