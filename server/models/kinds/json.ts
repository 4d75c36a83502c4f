import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";

/** As deep as an import takes it; from a few thousand on, parser, schema and PostgreSQL run out of stack. */
const MAX_DEPTH = 64;

/** jsonb takes no U+0000 and no half of a surrogate pair. */
function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return isStorableText(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner, depth + 1));
}

const storable = z.unknown().check(z.refine(isStorable, { error: "invalid_value", abort: true }));

/** Any JSON value that jsonb can hold. */
export const kind: FieldKind = {
  name: "json",
  holdsAddresses: true,
  wireType: "JSONField",
  control: "json",
  columnTypes: ["jsonb"],
  operators: ["isnull"],
  isSortable: false,
  valueSchema: () => z.pipe(storable, z.json()),
  isEmpty: () => false,
  toParameter: (value) => JSON.stringify(value),
  parameterCast: "::jsonb",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: () => undefined,
  exportColumns: (column, field) => [{ header: field.name, sql: `${column}::text`, free: true }],
};
