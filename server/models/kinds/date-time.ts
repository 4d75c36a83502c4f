import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "./shared.ts";

function parseDateTime(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** A moment, ISO 8601 in UTC on the wire (microseconds kept). */
export const dateTime: FieldKind = {
  name: "date_time",
  wireType: "DateTimeField",
  control: "datetime",
  columnTypes: ["timestamp with time zone"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  valueSchema: () => z.iso.datetime({ offset: true }),
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::timestamptz",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "timestamptz", parse: parseDateTime }),
  exportColumns: (column, field) => [
    {
      header: field.name,
      sql: `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
      free: false,
    },
  ],
};
