import type { ExportColumn } from "#server/models/model.ts";
import { STYLES } from "./xlsx-cells.ts";

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
