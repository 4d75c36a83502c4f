import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";

/** As deep as an import takes it; from a few thousand on, parser, schema and PostgreSQL run out of stack. */
const MAX_DEPTH = 64;

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isShallow(inner, depth + 1));
}

/** Any JSON value that jsonb can hold. What it can't (U+0000, half a surrogate pair) PostgreSQL refuses. */
export const json: FieldKind = {
  name: "json",
  wireType: "JSONField",
  control: "json",
  columnTypes: ["jsonb"],
  operators: ["isnull"],
  isSortable: false,
  valueSchema: () => z.pipe(z.unknown().check(z.refine(isShallow, { abort: true })), z.json()),
  isEmpty: () => false,
  toParameter: (value) => JSON.stringify(value),
  parameterCast: "::jsonb",
  readSql: (column) => column,
  textSql: (column) => `${column}::text`,
  sortSql: (column) => column,
  filterSql: () => undefined,
  exportColumns: (column, field) => [{ header: field.name, sql: `${column}::text`, free: true }],
};
