import * as z from "zod/mini";
import { comparisonFilter } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

const COLOUR = /^#[0-9a-f]{6}$/;

function parseColour(text: string): string | undefined {
  const colour = text.toLowerCase();
  return COLOUR.test(colour) ? colour : undefined;
}

/** A colour, `#rrggbb` in lower case. */
export const kind: FieldKind = {
  name: "colour",
  wireType: "ColorField",
  control: "colour",
  columnTypes: ["text"],
  operators: ["exact", "in", "isnull"],
  isSortable: true,
  formatFault: "invalid_colour",
  valueSchema: () => z.string().check(z.trim(), z.toLowerCase(), z.regex(COLOUR)),
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::text",
  readSql: (column) => column,
  textSql: (column) => column,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "text", parse: parseColour }),
  exportColumns: (column, field) => [{ header: field.name, sql: column, free: false }],
};
