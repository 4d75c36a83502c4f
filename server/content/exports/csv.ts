import type { Language } from "#contract/languages.ts";
import en from "#locales/en/spreadsheet.json" with { type: "json" };
import tr from "#locales/tr/spreadsheet.json" with { type: "json" };
import { quoteName } from "#server/db/sql.ts";
import type { ExportColumn } from "#server/models/model.ts";
import { type ChosenColumn, cellsSql, type ExportFormat, type ExportSource } from "./source.ts";

/**
 * First characters that make spreadsheets calculate a cell. Those of East Asia take the full-width signs as well; a bar begins
 * what older ones hand over to other programs.
 */
export const FORMULA_STARTS: ReadonlySet<string> = new Set("=+-@|＝＋－＠｜\t\n\r");

const TEXTS: Readonly<Record<Language, typeof en>> = { en, tr };

/** Spreadsheets take a csv for UTF-8 when it begins with it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Where Turkish is set, spreadsheets divide by semicolons, because the comma is the decimal sign. */
const DELIMITERS: Readonly<Record<Language, string>> = { en: ",", tr: ";" };

/** Which part of a column's value a cell is. */
function findPart({ header }: ExportColumn, column: ChosenColumn): keyof typeof en.parts | undefined {
  const suffix = header.slice(column.name.length);
  if (suffix === "_en") return "en";
  if (suffix === "_tr") return "tr";
  // A relation: the name of what it points to is what people look for.
  const hasName = column.cells.some((cell) => cell.header === `${column.name}_repr`);
  return suffix === "" && hasName ? "number" : undefined;
}

function toHeader(cell: ExportColumn, column: ChosenColumn, lang: Language): string {
  const { of, parts } = TEXTS[lang];
  const label = column.labels[lang];
  const part = findPart(cell, column);
  return part ? of.replace("{{label}}", () => label).replace("{{part}}", () => parts[part]) : label;
}

/** The first line of a csv for spreadsheets: what fields are called in the reader's language. */
function toSheetHead(columns: readonly ChosenColumn[], lang: Language): Buffer {
  const headers = columns.flatMap((column) => column.cells.map((cell) => toHeader(cell, column, lang)));
  const cells = headers.map((text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return Buffer.from(`${BYTE_ORDER_MARK}${cells.join(DELIMITERS[lang])}\n`);
}

const FORMULA_CODES = Array.from(FORMULA_STARTS, (character) => character.charCodeAt(0)).join(", ");

/** An apostrophe before what a spreadsheet would take for a formula; by the first character only, which is cheap. */
function guardSql(cell: ExportColumn, name: string): string {
  return cell.free
    ? `CASE WHEN ascii(${name}) IN (${FORMULA_CODES}) THEN '''' || ${name} ELSE ${name} END`
    : name;
}

/** A Turkish spreadsheet reads `3.5` as the third of May. */
function numberSql(cell: ExportColumn, sql: string, sheetLang: Language | null): string {
  return sheetLang === "tr" && cell.cell === "number" ? `replace(${sql}, '.', ',')` : sql;
}

/** A column by its alias and name: reading it again costs nothing. */
const COLUMN = /^\w+\."?\w+"?$/;

/** PostgreSQL's own header names fields; the one of spreadsheets comes before its lines. */
function toOptions({ sheetLang }: ExportSource): string {
  return sheetLang === null
    ? "WITH (FORMAT csv, HEADER true)"
    : `WITH (FORMAT csv, DELIMITER '${DELIMITERS[sheetLang]}')`;
}

async function* withHead(rows: AsyncIterable<Buffer>, head: Buffer): AsyncIterable<Buffer> {
  let isBegun = false;
  for await (const chunk of rows) {
    yield isBegun ? chunk : Buffer.concat([head, chunk]);
    isBegun = true;
  }
  if (!isBegun) yield head;
}

/** A header and a line for each row, as PostgreSQL writes csv. */
export const csv: ExportFormat = {
  mediaType: "text/csv; charset=utf-8",
  hasRepr: false,
  copySql(source) {
    const { keepsFormulas, sheetLang } = source;
    const cells = source.columns.flatMap((column) => column.cells);
    // An expression must not be computed for the guard and again for the value.
    const isFlat = keepsFormulas || cells.every((cell) => !cell.free || COLUMN.test(cell.sql));
    const list = cells.map((cell, place) => {
      const sql = numberSql(cell, isFlat ? cell.sql : `c${place}`, sheetLang);
      return `${keepsFormulas ? sql : guardSql(cell, sql)} AS ${quoteName(cell.header)}`;
    });
    const rest = isFlat ? source.rest : `FROM (${cellsSql(source)}) cells`;
    return `COPY (SELECT ${list.join(", ")} ${rest}) TO STDOUT ${toOptions(source)}`;
  },
  shape: (rows, { columns, sheetLang }) =>
    sheetLang === null ? rows : withHead(rows, toSheetHead(columns, sheetLang)),
};
