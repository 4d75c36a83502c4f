import * as z from "zod/mini";
import { isCalendarDate } from "#contract/partial-date.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

function isDay(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && isCalendarDate(value);
}

/** A day, `YYYY-MM-DD`. */
export const kind: FieldKind = {
  name: "date",
  wireType: "DateField",
  control: "date",
  columnTypes: ["date"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  formatFault: "invalid_date",
  valueSchema: () => z.string().check(z.trim(), z.refine(isDay, { error: "invalid_date" })),
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::date",
  // The driver would make it a moment in the server's time zone.
  readSql: (column) => `${column}::text`,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, {
      cast: "date",
      parse: (text) => (isDay(text) ? text : undefined),
    }),
  exportColumns: (column, field) => [
    { header: field.name, sql: `${column}::text`, free: false, cell: "date" },
  ],
};
