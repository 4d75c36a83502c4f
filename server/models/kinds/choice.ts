import * as z from "zod/mini";
import { toLiteral } from "#server/db/sql.ts";
import type { FieldDeclaration } from "../declare.ts";
import { comparisonFilter, plainSearchSql } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";

/** What is wrong with the choices of a declaration. */
export function findChoiceFault({ choices = [] }: FieldDeclaration): string | undefined {
  if (choices.length === 0) return "a choice says its choices";
  const values = new Set(choices.map((choice) => choice.value));
  return values.size === choices.length && !values.has("") ? undefined : "choices differ, and none is empty";
}

/** One of the declared values. Others that a row has already are read and filtered, but not written. */
export const kind: FieldKind = {
  name: "choice",
  wireType: "ChoiceField",
  control: "choice",
  columnTypes: ["text"],
  operators: ["exact", "in", "isnull"],
  isSortable: true,
  findFault: findChoiceFault,
  valueSchema: ({ choices }) =>
    z.string().check(
      z.refine((value) => value === "" || choices.some((choice) => choice.value === value), {
        error: "not_a_choice",
      }),
    ),
  isEmpty: (value) => value === "",
  toParameter: (value) => value,
  parameterCast: "::text",
  readSql: (column) => column,
  textSql(column, lang, { choices }) {
    const names = choices.map(
      ({ value, labels }) => `WHEN ${toLiteral(value)} THEN ${toLiteral(labels[lang])}`,
    );
    return `CASE ${column} ${names.join(" ")} ELSE ${column} END`;
  },
  sortSql: (column) => column,
  searchSql: plainSearchSql,
  filterSql: (column, operator, value, add) =>
    comparisonFilter(column, operator, value, add, { cast: "text", parse: (text) => text }),
  exportColumns: (column, field) => [{ header: field.name, sql: column, free: true }],
};
