import type { Language } from "#contract/languages.ts";
import type { ExportColumn } from "#server/models/model.ts";
import { quoteName } from "../../db/sql.ts";
import { FORMULA_STARTS } from "../formula-starts.ts";
import { cellsSql, type ExportFormat } from "./format.ts";
import { DELIMITERS, toSheetHead } from "./sheet-head.ts";
import type { ExportSource } from "./source.ts";

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
