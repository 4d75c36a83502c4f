import type { ExportColumn } from "#server/models/model.ts";

/** Characters that a cell may have (ECMA-376 part 1, 3.17.3, as UTF-16). */
const MAX_CELL_UNITS = 32_767;
const CUT_MARK = "…";
/** Beyond them a spreadsheet's numbers lose digits. */
const MAX_DIGITS = 15;

/** Positions in `cellXfs` of xlsx-parts.ts. */
const STYLES = { plain: 0, header: 1, date: 2, datetime: 3 } as const;

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

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Sheets are the default of XML parts: how many there are is known only at the end of the file. */
export const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${MEDIA}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${MEDIA}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${MEDIA}.styles+xml"/></Types>`;

export const ROOT_RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Four looks of a cell, in the order of `STYLES`. */
export const STYLE_SHEET = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** In characters of the standard font. */
const WIDTHS: Record<NonNullable<ExportColumn["cell"]>, number> = {
  text: 32,
  number: 12,
  boolean: 10,
  date: 12,
  datetime: 20,
};

/** A sheet up to its first row of data: the header stays in sight and is bold. */
export function openSheet(cells: readonly ExportColumn[]): string {
  const widths = cells.map(({ header, cell = "text" }, place) => {
    const width = Math.max(WIDTHS[cell], Math.min(header.length + 2, WIDTHS.text));
    return `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`;
  });
  const headers = cells.map(
    ({ header }) => `<c s="${STYLES.header}" t="inlineStr"><is><t>${escapeXml(header)}</t></is></c>`,
  );
  const view =
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>';
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><cols>${widths.join("")}</cols><sheetData><row>${headers.join("")}</row>\n`;
}

export const CLOSE_SHEET = "</sheetData></worksheet>";

export function toSheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** Names of sheets have at most 31 characters, none of `[]:*?/\`, and no apostrophe at an end. */
function toSheetName(title: string, number: number): string {
  const suffix = number > 1 ? ` ${number}` : "";
  const name = title.replaceAll(/[[\]:*?/\\']/g, " ").trim() || "1";
  return escapeXml(name.slice(0, 31 - suffix.length) + suffix);
}

/** The book of so many sheets, and the part that says where they are. */
export function toWorkbookParts(
  title: string,
  sheetCount: number,
): { workbook: string; relationships: string } {
  const numbers = Array.from({ length: sheetCount }, (_, place) => place + 1);
  const sheets = numbers.map(
    (number) => `<sheet name="${toSheetName(title, number)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const links = numbers.map(
    (number) =>
      `<Relationship Id="rId${number}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  const style = `<Relationship Id="rIdStyles" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/>`;
  return {
    workbook: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${sheets.join("")}</sheets></workbook>`,
    relationships: `${XML}<Relationships xmlns="${PACKAGE}/relationships">${links.join("")}${style}</Relationships>`,
  };
}
