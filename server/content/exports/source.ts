import type { Language } from "#contract/languages.ts";
import en from "#locales/en/spreadsheet.json" with { type: "json" };
import tr from "#locales/tr/spreadsheet.json" with { type: "json" };
import type { Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { quoteName, toLiteral } from "#server/db/sql.ts";
import type { Labels } from "#server/models/declare.ts";
import type { ExportColumn, Field } from "#server/models/model.ts";
import { relatedReprSql, requireRelated, titleSql } from "#server/models/row-sql.ts";
import { keyOrderSql, toSortKeys } from "../list/page-sql.ts";
import { scopeTerms } from "../list/query.ts";
import type { ModelView } from "../records/access.ts";
import { ALIAS, fromSql, idSql, jsonSql } from "../records/record-sql.ts";
import type { ExportRequest } from "./export-request.ts";

/** One column of an export as its reader chose it: of a table it may be several. */
export interface ChosenColumn {
  name: string;
  labels: Labels;
  /** Columns of csv and spreadsheets: both sides of a localized field, id and name of a related row. */
  cells: readonly ExportColumn[];
  /** SQL of the value as lists answer it. */
  json: string;
  /** What `cells` and `json` need beside the row. */
  join: string;
}

/** What an export has beyond the model's fields. */
const ID = "id";
const REPR = "repr";
const ID_LABELS: Labels = { en: en.number, tr: tr.number };
const REPR_LABELS: Labels = { en: en.name, tr: tr.name };

function toIdColumn(view: ModelView): ChosenColumn {
  const cell: ExportColumn = { header: ID, sql: `${ALIAS}.id::text`, free: false, cell: "number" };
  return { name: ID, labels: ID_LABELS, cells: [cell], json: idSql(view.model), join: "" };
}

function toReprColumn(view: ModelView, reader: Reader): ChosenColumn {
  const sql = titleSql(view.model, ALIAS, reader.lang);
  return { name: REPR, labels: REPR_LABELS, cells: [{ header: REPR, sql, free: true }], json: sql, join: "" };
}

/** A related row is joined: a subselect for each row took PostgreSQL 1.3 times as long. */
function toRelatedColumn(field: Field, reader: Reader, place: number): ChosenColumn {
  const alias = `r${place}`;
  const id = field.sql(ALIAS);
  const repr = relatedReprSql(field, "r", reader);
  const table = quoteName(requireRelated(field).table);
  return {
    name: field.name,
    labels: field.labels,
    cells: [
      { header: field.name, sql: `${id}::text`, free: false, cell: "number" },
      { header: `${field.name}_repr`, sql: `${alias}.repr`, free: true },
    ],
    json: `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object('id', ${alias}.id, 'repr', ${alias}.repr) END`,
    join: `LEFT JOIN LATERAL (SELECT r.id, ${repr} AS repr FROM ${table} r WHERE r.id = ${id}) ${alias} ON true`,
  };
}

function toFieldColumn(field: Field, reader: Reader, place: number): ChosenColumn {
  if (field.kind.relates === "one") return toRelatedColumn(field, reader, place);
  const cells = field.kind.exportColumns(field.sql(ALIAS), field, reader);
  return { name: field.name, labels: field.labels, cells, json: jsonSql(field, reader), join: "" };
}

/** Secrets stay out of files, whoever asks. */
function isExported(field: Field): boolean {
  return !field.isSecret;
}

function checkNames(view: ModelView, names: readonly string[]): void {
  if (new Set(names).size < names.length)
    throw new AppError("invalid_query", { vars: { parameter: "columns" } });
  for (const name of names) {
    const field = view.fieldByName.get(name);
    if (name !== ID && name !== REPR && !(field && isExported(field)))
      throw new AppError("unknown_field", { vars: { field: name } });
  }
}

/**
 * The columns of an export, in the order of `names`; without names all that the reader may see.
 * @throws AppError unknown_field for a field that is none, or none for this reader.
 */
function toChosenColumns(
  view: ModelView,
  names: readonly string[],
  reader: Reader,
  options: { hasRepr: boolean },
): ChosenColumn[] {
  checkNames(view, names);
  const first = options.hasRepr ? [ID, REPR] : [ID];
  const all = [...first, ...view.fields.filter(isExported).map((field) => field.name)];
  return (names.length > 0 ? names : all).map((name, place) => {
    if (name === ID) return toIdColumn(view);
    const field = view.fieldByName.get(name);
    return field ? toFieldColumn(field, reader, place) : toReprColumn(view, reader);
  });
}

/** What a format makes its statement of: columns, and where their rows come from. COPY takes no parameters. */
export interface ExportSource {
  columns: readonly ChosenColumn[];
  /** `FROM … WHERE … ORDER BY …`, with the rules of the reader. */
  rest: string;
  /** Texts that a spreadsheet would calculate stay as they are. */
  keepsFormulas: boolean;
  /** The language of people who open a csv in a spreadsheet; null: it is for programs. */
  sheetLang: Language | null;
}

/**
 * Ids are whole numbers, as the request's schema has checked, maybe larger than the column's. What is excluded is compared
 * as bigint on both sides: PostgreSQL hashes such a list.
 */
function idTerms(request: ExportRequest): string[] {
  const { objectIds, excludeIds } = request;
  const terms: string[] = [];
  if (objectIds) terms.push(`${ALIAS}.id = ANY('{${objectIds.join(",")}}'::bigint[])`);
  if (excludeIds.length > 0) terms.push(`${ALIAS}.id::bigint <> ALL('{${excludeIds.join(",")}}'::bigint[])`);
  return terms;
}

/** The rows of a request as their reader may see them, in the order of the list. */
export function toSource(
  view: ModelView,
  request: ExportRequest,
  reader: Reader,
  options: { hasRepr: boolean },
): ExportSource {
  const columns = toChosenColumns(view, request.columns, reader, options);
  const terms = [...scopeTerms(view, request, reader, toLiteral), ...idTerms(request)];
  const where = terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
  const order = keyOrderSql(toSortKeys(view, request.sort, reader.lang));
  const joins = columns.map((column) => column.join).join(" ");
  return {
    columns,
    rest: `${fromSql(view.model)} ${joins} ${where} ${order}`,
    keepsFormulas: request.keepsFormulas,
    sheetLang: request.isForSpreadsheets ? reader.lang : null,
  };
}

/** What a file is called inside, where a format has such a thing. */
interface FileAbout {
  /** Plural name of the model in the reader's language. */
  title: Labels["en"];
}

/**
 * One kind of file: PostgreSQL writes a line for each row, and `shape` puts around the lines what makes a file of them. No
 * row passes through JavaScript by itself.
 */
export interface ExportFormat {
  mediaType: string;
  /** Records have the name of their row beside its id, as lists have. */
  hasRepr: boolean;
  /** `COPY (…) TO STDOUT`. */
  copySql(source: ExportSource): string;
  /** The file from PostgreSQL's bytes, which are cut anywhere. */
  shape(rows: AsyncIterable<Buffer>, source: ExportSource, about: FileAbout): AsyncIterable<Buffer>;
}

/**
 * Lines as they are: csv with quotes and delimiters that neither JSON nor XML can hold. The text must have no line breaks of
 * its own.
 */
export const RAW_LINES = String.raw`WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02', ESCAPE E'\x02')`;

/** `SELECT` of the cells as `c0`, `c1` …: what is done with a cell then computes it once. */
export function cellsSql(source: ExportSource): string {
  const cells = source.columns.flatMap((column) => column.cells);
  return `SELECT ${cells.map((cell, place) => `${cell.sql} AS c${place}`).join(", ")} ${source.rest}`;
}
