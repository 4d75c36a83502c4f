import * as z from "zod/mini";
import type { Field, FieldKind } from "../model.ts";
import { findChoiceFault } from "./choice.ts";

/** Each value once, in the order of the declaration. */
function toCanonical(field: Pick<Field, "choices">, given: readonly string[]): string[] {
  return field.choices.map((choice) => choice.value).filter((value) => given.includes(value));
}

/** Several of the declared values. `contains` asks for one of them, `in` for any of several. */
export const kind: FieldKind = {
  name: "choices",
  wireType: "MultipleChoiceField",
  control: "choices",
  columnTypes: ["text[]"],
  operators: ["contains", "in", "isnull"],
  isSortable: false,
  findFault: findChoiceFault,
  valueSchema(field) {
    const known = new Set(field.choices.map((choice) => choice.value));
    const value = z.string().check(z.refine((text) => known.has(text), { error: "not_a_choice" }));
    return z.pipe(
      z.array(value).check(z.maxLength(field.choices.length)),
      z.transform((given) => toCanonical(field, given)),
    );
  },
  isEmpty: (value) => Array.isArray(value) && value.length === 0,
  toParameter: (value) => value,
  parameterCast: "::text[]",
  readSql: (column) => column,
  jsonSql: (column) => `to_json(${column})`,
  textSql: (column) => `array_to_string(${column}, ', ')`,
  sortSql: (column) => column,
  filterSql(column, operator, value, add) {
    if (operator === "contains" && typeof value === "string")
      return `${column} @> ARRAY[${add(value)}::text]`;
    if (operator === "in" && typeof value !== "string") return `${column} && ${add(value)}::text[]`;
    return undefined;
  },
  exportColumns: (column, field) => [
    { header: field.name, sql: `array_to_string(${column}, ';')`, free: true },
  ],
};
