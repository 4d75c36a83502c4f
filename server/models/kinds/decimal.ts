import * as z from "zod/mini";
import { comparisonFilter, ORDERED_OPERATORS } from "../filter-sql.ts";
import type { Field, FieldKind } from "../model.ts";

const DECIMAL = /^-?(\d{1,131})(?:\.(\d{1,100}))?$/;
/** Digits that a spreadsheet's number keeps. */
const CELL_DIGITS = 15;
const DEFAULT_DIGITS = { total: 20, scale: 10 };

function isDecimal(value: unknown): boolean {
  return typeof value === "string" && DECIMAL.test(value);
}

/** Whether a number needs no more digits than the column has. Zeros at its ends need none. */
function fits(value: unknown, digits: { total: number; scale: number }): boolean {
  const [, whole = "", part = ""] = DECIMAL.exec(String(value)) ?? [];
  return (
    whole.replace(/^0+/, "").length <= digits.total - digits.scale &&
    part.replace(/0+$/, "").length <= digits.scale
  );
}

function requireDigits(field: Pick<Field, "digits">) {
  return field.digits ?? DEFAULT_DIGITS;
}

/** Few digits: as numbers they are exact enough to compare. */
function checkRange({ range }: Pick<Field, "range">) {
  if (!range) return [];
  return [
    z.refine<string>((value) => Number(value) >= range.min, {
      error: "too_small",
      params: { min: range.min },
    }),
    z.refine<string>((value) => Number(value) <= range.max, { error: "too_big", params: { max: range.max } }),
  ];
}

/** An exact number with a point. It travels as text, with as many digits after the point as the column keeps. */
export const kind: FieldKind = {
  name: "decimal",
  wireType: "DecimalField",
  control: "decimal",
  columnTypes: ["numeric"],
  operators: ORDERED_OPERATORS,
  isSortable: true,
  formatFault: "invalid_decimal",
  findFault: ({ digits }) =>
    digits && digits.scale >= 0 && digits.total > 0 && digits.scale <= digits.total
      ? undefined
      : "a decimal says its digits: { total, scale }",
  valueSchema(field) {
    const digits = requireDigits(field);
    return z.string().check(
      z.trim(),
      z.refine(isDecimal, { error: "invalid_decimal", abort: true }),
      z.refine((value) => fits(value, digits), {
        error: "too_many_digits",
        params: { whole: digits.total - digits.scale, scale: digits.scale },
      }),
      ...checkRange(field),
    );
  },
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::numeric",
  readSql: (column) => `${column}::text`,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, {
      cast: "numeric",
      parse: (text) => (isDecimal(text) ? text : undefined),
    }),
  exportColumns: (column, field) => [
    {
      header: field.name,
      sql: `${column}::text`,
      free: false,
      cell: requireDigits(field).total <= CELL_DIGITS ? "number" : "text",
    },
  ],
};
