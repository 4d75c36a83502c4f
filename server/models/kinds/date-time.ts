import * as z from "zod/mini";
import { isCalendarDate } from "#contract/partial-date.ts";
import type { FieldKind } from "../model.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "./shared.ts";

/** A day, or a moment with or without an offset. `Date.parse` alone takes more than PostgreSQL: comments, 31 February, +23:59. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?)?$/;

function parseDateTime(text: string): string | undefined {
  const day = MOMENT.exec(text)?.[1];
  return day !== undefined && isCalendarDate(day) ? text : undefined;
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
