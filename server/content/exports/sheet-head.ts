import type { Language } from "#contract/languages.ts";
import en from "#locales/en/spreadsheet.json" with { type: "json" };
import tr from "#locales/tr/spreadsheet.json" with { type: "json" };
import type { ExportColumn } from "#server/models/model.ts";
import type { ChosenColumn } from "./chosen-columns.ts";

const TEXTS: Readonly<Record<Language, typeof en>> = { en, tr };

/** Spreadsheets take a csv for UTF-8 when it begins with it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Where Turkish is set, spreadsheets divide by semicolons, because the comma is the decimal sign. */
export const DELIMITERS: Readonly<Record<Language, string>> = { en: ",", tr: ";" };

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
export function toSheetHead(columns: readonly ChosenColumn[], lang: Language): Buffer {
  const headers = columns.flatMap((column) => column.cells.map((cell) => toHeader(cell, column, lang)));
  const cells = headers.map((text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return Buffer.from(`${BYTE_ORDER_MARK}${cells.join(DELIMITERS[lang])}\n`);
}
