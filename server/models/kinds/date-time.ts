import * as z from "zod/mini";
import { isCalendarDate } from "#contract/partial-date.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

/** A day, or a moment with or without an offset. `Date.parse` alone takes more than PostgreSQL: comments, 31 February, +23:59. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?)?$/;

/** The year in UTC, where a moment without an offset is, too: `toIsoText` and JSON know years of four digits alone. */
function isYearInUtc([text, day, time, , , , offset]: RegExpExecArray): boolean {
  const moment = time ? `${text.replace(" ", "T")}${offset ? "" : "Z"}` : `${day}T00:00Z`;
  const year = new Date(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function parseDateTime(text: string): string | undefined {
  const match = MOMENT.exec(text);
  return match?.[1] !== undefined && isCalendarDate(match[1]) && isYearInUtc(match) ? text : undefined;
}

/** A moment that PostgreSQL takes too: Zod alone lets the year 0 and an offset of 23 hours through. */
const written = z.iso
  .datetime({ offset: true, abort: true })
  .check(z.refine((text) => parseDateTime(text) !== undefined, { error: "invalid_date_time" }));

/** A moment, ISO 8601 in UTC on the wire (microseconds kept). */
export const kind: FieldKind = {
  name: "date_time",
  wireType: "DateTimeField",
  control: "datetime",
  columnTypes: ["timestamp with time zone"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  formatFault: "invalid_date_time",
  valueSchema: () => written,
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::timestamptz",
  readSql: (column) => column,
  // JSON of a moment without a zone has the digits that the wire has.
  jsonSql: (column) => `((to_json(${column} AT TIME ZONE 'UTC') #>> '{}') || 'Z')`,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "timestamptz", parse: parseDateTime }),
  exportColumns: (column, field) => [
    {
      header: field.name,
      // The digits that the wire has; `to_char` always writes six.
      sql: `(replace((${column} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z')`,
      free: false,
      cell: "datetime",
    },
  ],
};
