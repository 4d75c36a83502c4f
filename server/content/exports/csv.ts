import { type ExportColumn, quoteName } from "#server/models/model.ts";
import { FORMULA_STARTS } from "../formula-starts.ts";
import { cellsSql, type ExportFormat } from "./format.ts";

const FORMULA_CODES = Array.from(FORMULA_STARTS, (character) => character.charCodeAt(0)).join(", ");

/** An apostrophe before what a spreadsheet would take for a formula; by the first character only, which is cheap. */
function guardSql(cell: ExportColumn, name: string): string {
  return cell.free
    ? `CASE WHEN ascii(${name}) IN (${FORMULA_CODES}) THEN '''' || ${name} ELSE ${name} END`
    : name;
}

/** A column by its alias and name: reading it again costs nothing. */
const COLUMN = /^\w+\."?\w+"?$/;

/** A header and a line for each row, as PostgreSQL writes csv. */
export const csv: ExportFormat = {
  mediaType: "text/csv; charset=utf-8",
  hasRepr: false,
  copySql(source) {
    const cells = source.columns.flatMap((column) => column.cells);
    // An expression must not be computed for the guard and again for the value.
    const isFlat = source.keepsFormulas || cells.every((cell) => !cell.free || COLUMN.test(cell.sql));
    const list = cells.map((cell, place) => {
      const sql = isFlat ? cell.sql : `c${place}`;
      return `${source.keepsFormulas ? sql : guardSql(cell, sql)} AS ${quoteName(cell.header)}`;
    });
    const rest = isFlat ? source.rest : `FROM (${cellsSql(source)}) cells`;
    return `COPY (SELECT ${list.join(", ")} ${rest}) TO STDOUT WITH (FORMAT csv, HEADER true)`;
  },
  shape: (rows) => rows,
};
