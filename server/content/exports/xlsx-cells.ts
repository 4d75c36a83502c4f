import type { ExportColumn } from "#server/models/model.ts";

/** Characters that a cell may have (ECMA-376 part 1, 3.17.3, as UTF-16). */
const MAX_CELL_UNITS = 32_767;
const CUT_MARK = "…";
/** Beyond them a spreadsheet's numbers lose digits. */
const MAX_DIGITS = 15;

/** Positions in `cellXfs` of xlsx-parts.ts. */
export const STYLES = { plain: 0, header: 1, date: 2, datetime: 3 } as const;

/** What XML can't hold. */
const ILLEGAL = String.raw`[\u0001-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]`;
/** Carriage returns, which XML turns into line feeds, and what spreadsheets would take for an escape, are written as escapes. */
const ESCAPE_LIKE = "_(?=x[0-9A-Fa-f]{4}_)";
const RARE = String.raw`${ILLEGAL}|\r|${ESCAPE_LIKE}`;

/**
 * The longest beginning that surely fits: each character outside the basic plane counts twice. Of a longer text only what could
 * be in the cell is looked at.
 */
function cutSql(name: string): string {
  const head = `left(${name}, ${MAX_CELL_UNITS})`;
  const astral = `length(regexp_replace(${head}, '[^\\U00010000-\\U0010FFFF]+', '', 'g'))`;
  return `CASE WHEN length(${name}) + ${astral} > ${MAX_CELL_UNITS}
    THEN left(${name}, greatest(${MAX_CELL_UNITS - 1} - ${astral}, ${(MAX_CELL_UNITS - 1) / 2})) || '${CUT_MARK}' ELSE ${name} END`;
}

/** One look finds the few texts that need more than XML's own escapes. */
function cleanSql(name: string): string {
  const escaped = `replace(regexp_replace(regexp_replace(${cutSql(name)}, '${ILLEGAL}', '', 'g'), '${ESCAPE_LIKE}', '_x005F_', 'g'), E'\\r', '_x000D_')`;
  return `CASE WHEN octet_length(${name}) > ${MAX_CELL_UNITS} OR ${name} ~ '${RARE}' THEN ${escaped} ELSE ${name} END`;
}

function xmlSql(text: string): string {
  return `replace(replace(replace(replace(${text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\\n', '&#10;')`;
}

function textCell(text: string): string {
  return `'<c t="inlineStr"><is><t xml:space="preserve">' || ${text} || '</t></is></c>'`;
}

/** A moment as days since 1899-12-30 in UTC, which is how spreadsheets keep time. */
function serialSql(name: string): string {
  return `(extract(epoch FROM ${name}::timestamptz)::float8 / 86400 + 25569)`;
}

/** Spreadsheets have no day before 1900, count one too many until March, and end with 9999. Years have four digits then. */
function isInCalendar(name: string): string {
  return `substr(${name}, 5, 1) = '-' AND ${name} COLLATE "C" >= '1900-03-01' AND strpos(${name}, 'BC') = 0`;
}

function valueSql(cell: ExportColumn, name: string): string {
  // Only texts of people may hold what XML takes for its own; all others may be shown as text too, where they don't fit.
  const text = textCell(xmlSql(cleanSql(name)));
  switch (cell.cell) {
    case "number":
      return `CASE WHEN ${name} ~ '^-?[0-9]+([.][0-9]+)?$' AND length(${name}) <= ${MAX_DIGITS} THEN '<c><v>' || ${name} || '</v></c>' ELSE ${text} END`;
    case "boolean":
      return `'<c t="b"><v>' || CASE ${name} WHEN 'true' THEN '1' ELSE '0' END || '</v></c>'`;
    case "date":
      return `CASE WHEN ${isInCalendar(name)} THEN '<c s="${STYLES.date}"><v>' || (${name}::date - date '1899-12-30') || '</v></c>' ELSE ${text} END`;
    case "datetime":
      return `CASE WHEN ${isInCalendar(name)} THEN '<c s="${STYLES.datetime}"><v>' || ${serialSql(name)} || '</v></c>' ELSE ${text} END`;
    default:
      return text;
  }
}

/** SQL of a cell of a sheet from its text; an empty one keeps its place. */
export function cellSql(cell: ExportColumn, name: string): string {
  return `CASE WHEN ${name} IS NULL THEN '<c/>' ELSE ${valueSql(cell, name)} END`;
}
