import * as z from "zod/mini";
import type { Reader } from "#server/base/actor.ts";
import { usedKeysSql, usesSql } from "../file-uses.ts";
import type { Field, FieldKind } from "../model.ts";
import { findChoiceFault } from "./choice.ts";

/** Of one file; a list that is longer helps nobody. */
const MAX_USES = 50;
/** A file that nothing names may stand in a form that isn't saved yet: younger ones are `new`, and no sweep finds them. */
const GRACE = "interval '1 day'";

/** SQL of the key of the stored file whose id is `id`. */
const keySql = (id: string) => `(SELECT f.key FROM stored_file f WHERE f.id = ${id})`;
const isNewSql = (id: string) =>
  `(SELECT f.created_at > now() - ${GRACE} FROM stored_file f WHERE f.id = ${id})`;

function toUses(id: string, field: Field, reader: Reader): string {
  return `(${usesSql(field.models, keySql(id), reader)} LIMIT ${MAX_USES})`;
}

/** What a file is by its uses, whoever asks: `used`, `unused`, or `new`. */
function stateSql(id: string, field: Field): string {
  // One scan of each table for all rows of a list: PostgreSQL keeps the keys in a hash.
  const isUsed = `coalesce(${keySql(id)} IN (SELECT k.key FROM (${usedKeysSql(field.models)}) k WHERE k.key IS NOT NULL), false)`;
  return `CASE WHEN ${isUsed} THEN 'used' WHEN ${isNewSql(id)} THEN 'new' ELSE 'unused' END`;
}

/** Of stored files: the records that use one, as far as the reader sees them. Filters ask by `used`, `unused` and `new`. */
export const kind: FieldKind = {
  name: "file_uses",
  wireType: "FileUsesField",
  control: "file-uses",
  columnTypes: [],
  knowsModels: true,
  operators: ["exact"],
  isSortable: false,
  findFault: (declaration) =>
    findChoiceFault(declaration) ?? (declaration.readOnly ? undefined : "what uses a file is read only"),
  valueSchema: () => z.never(),
  isEmpty: () => false,
  toParameter: (value) => value,
  parameterCast: "::text",
  readSql(column, field, reader) {
    const item = "json_build_object('model', u.model, 'id', u.id, 'repr', u.repr, 'label', u.label)";
    return `coalesce((SELECT json_agg(${item} ORDER BY u.model, u.id) FROM ${toUses(column, field, reader)} u), '[]'::json)`;
  },
  textSql: () => "NULL::text",
  sortSql: (column) => column,
  filterSql(column, _operator, value, add, field) {
    if (Array.isArray(value) || !field.choices.some((choice) => choice.value === value)) return undefined;
    return `${stateSql(column, field)} = ${add(value)}::text`;
  },
  exportColumns: (column, field, reader) => [
    {
      header: field.name,
      sql: `(SELECT string_agg(u.label || ': ' || u.repr, '; ' ORDER BY u.model, u.id) FROM ${toUses(column, field, reader)} u)`,
      free: true,
    },
  ],
};
