import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";

/** Any JSON value. */
export const json: FieldKind = {
  name: "json",
  wireType: "JSONField",
  control: "json",
  columnTypes: ["jsonb"],
  operators: ["isnull"],
  isSortable: false,
  valueSchema: () => z.json(),
  isEmpty: () => false,
  toParameter: (value) => JSON.stringify(value),
  parameterCast: "::jsonb",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: () => undefined,
  exportColumns: (column, field) => [{ header: field.name, sql: `${column}::text`, free: true }],
};
