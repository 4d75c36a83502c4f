import * as z from "zod/mini";
import { LANGUAGES } from "#contract/languages.ts";
import type { FieldKind } from "../model.ts";
import { textSchema } from "./text.ts";

const MAX_ITEMS = 100;

/** Texts of one side as lines, for exports. */
function linesSql(column: string, lang: string): string {
  return `(SELECT string_agg(item, E'\\n') FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(${column} -> '${lang}') = 'array' THEN ${column} -> '${lang}' END) item)`;
}

/** An ordered list of short texts in both languages. */
export const kind: FieldKind = {
  name: "localized_list",
  holdsAddresses: true,
  wireType: "LocalizedListField",
  control: "localized-list",
  columnTypes: ["jsonb"],
  operators: ["isnull"],
  isSortable: false,
  valueSchema(field) {
    const side = z._default(
      z.nullable(z.array(textSchema(field).check(z.minLength(1))).check(z.maxLength(MAX_ITEMS))),
      null,
    );
    return z.strictObject({ en: side, tr: side });
  },
  isEmpty: (value) => Object.values(value as Record<string, string[] | null>).every((side) => !side?.length),
  toParameter: (value) => JSON.stringify(value),
  parameterCast: "::jsonb",
  readSql: (column) => column,
  textSql: linesSql,
  sortSql: (column) => column,
  filterSql: () => undefined,
  exportColumns: (column, field) =>
    LANGUAGES.map((lang) => ({ header: `${field.name}_${lang}`, sql: linesSql(column, lang), free: true })),
};
