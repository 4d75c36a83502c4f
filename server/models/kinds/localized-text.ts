import * as z from "zod/mini";
import { LANGUAGES } from "#contract/languages.ts";
import { localizedSearchSql, TEXT_OPERATORS, textFilter } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";
import { textSchema } from "./text.ts";

/** The side that is shown in a language: its own, else the other one. */
function shownSql(column: string, lang: string): string {
  const other = lang === "en" ? "tr" : "en";
  return `coalesce(${column} ->> '${lang}', ${column} ->> '${other}')`;
}

/** A short text in both languages. A filter matches when one of the sides does. */
export const kind: FieldKind = {
  name: "localized_text",
  holdsAddresses: true,
  wireType: "LocalizedCharField",
  control: "localized-text",
  columnTypes: ["jsonb"],
  operators: TEXT_OPERATORS,
  isSortable: true,
  valueSchema(field) {
    const side = z._default(
      z.nullable(
        z.pipe(
          textSchema(field),
          z.transform((value) => value || null),
        ),
      ),
      null,
    );
    return z.strictObject({ en: side, tr: side });
  },
  isEmpty: (value) => Object.values(value as Record<string, string | null>).every((side) => !side),
  toParameter: (value) => JSON.stringify(value),
  parameterCast: "::jsonb",
  readSql: (column) => column,
  textSql: shownSql,
  sortSql: (column, lang) => `${shownSql(column, lang)} COLLATE "${lang}-x-icu"`,
  searchSql: localizedSearchSql,
  filterSql(column, operator, value, add) {
    const sides = LANGUAGES.map((lang) => textFilter(`(${column} ->> '${lang}')`, operator, value, add));
    return sides.includes(undefined) ? undefined : `(${sides.join(" OR ")})`;
  },
  exportColumns: (column, field) =>
    LANGUAGES.map((lang) => ({
      header: `${field.name}_${lang}`,
      sql: `(${column} ->> '${lang}')`,
      free: true,
    })),
};
