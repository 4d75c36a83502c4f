import * as z from "zod/mini";
import { comparisonFilter } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

function parseBoolean(text: string): boolean | undefined {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  return undefined;
}

/** Yes or no. */
export const kind: FieldKind = {
  name: "boolean",
  wireType: "BooleanField",
  control: "switch",
  columnTypes: ["boolean"],
  operators: ["exact", "isnull"],
  isSortable: true,
  valueSchema: () => z.boolean(),
  isEmpty: () => false,
  toParameter: (value) => value,
  parameterCast: "::boolean",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "boolean", parse: parseBoolean }),
  exportColumns: (column, field) => [
    { header: field.name, sql: `${column}::text`, free: false, cell: "boolean" },
  ],
};
