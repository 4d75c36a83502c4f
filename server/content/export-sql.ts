import type { Language } from "#contract/languages.ts";
import { quoteLiteral } from "#server/models/kinds/shared.ts";
import type { AddParameter, ExportColumn } from "#server/models/model.ts";
import { type Model, quoteName } from "#server/models/model.ts";
import { ALIAS, columnSql, fromSql, orderSql, whereSql } from "./list-sql.ts";
import type { ListQuery } from "./query.ts";

/** First characters that make spreadsheets calculate: = + - @ tab, line feed, carriage return. */
const FORMULA_STARTS = [..."=+-@\t\n\r"].map((character) => character.charCodeAt(0)).join(", ");

/** A value as an SQL literal: COPY takes no parameters. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(toLiteral).join(", ")}]`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return quoteLiteral(String(value));
}

/** An apostrophe before what a spreadsheet would take for a formula; by the first character only, which is cheap. */
function guardSql(column: ExportColumn): string {
  if (!column.free) return column.sql;
  return `CASE WHEN ascii(${column.sql}) IN (${FORMULA_STARTS}) THEN '''' || ${column.sql} ELSE ${column.sql} END`;
}

/** `COPY (…) TO STDOUT` of a list as csv: header, every declared field, both sides of localized ones. */
export function exportSql(model: Model, query: ListQuery, lang: Language): string {
  const add: AddParameter = toLiteral;
  const columns: ExportColumn[] = [
    { header: "id", sql: `${ALIAS}.id`, free: false },
    ...model.fields.flatMap((field) => field.kind.exportColumns(columnSql(field.name), field)),
  ];
  const list = columns.map((column) => `${guardSql(column)} AS ${quoteName(column.header)}`).join(", ");
  const select = `SELECT ${list} ${fromSql(model)} ${whereSql(model, query, add)} ${orderSql(model, query, lang)}`;
  return `COPY (${select}) TO STDOUT WITH (FORMAT csv, HEADER true)`;
}
