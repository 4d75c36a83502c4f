import { PARTIAL_DATE } from "#contract/partial-date.ts";
import { partialDate as partialDateSchema } from "#contract/site/cv.ts";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, kept as text: such texts sort by time. */
export const kind: FieldKind = {
  name: "partial_date",
  formatFault: "invalid_partial_date",
  wireType: "PartialDateField",
  control: "partial-date",
  columnTypes: ["text"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  valueSchema: () => partialDateSchema,
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::text",
  readSql: (column) => column,
  textSql: (column) => column,
  sortSql: (column) => `${column} COLLATE "C"`,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(`${column} COLLATE "C"`, operator, value, add, {
      cast: "text",
      parse: (text) => (PARTIAL_DATE.test(text) ? text : undefined),
    }),
  exportColumns: (column, field) => [{ header: field.name, sql: column, free: false }],
};
