import type { Reader } from "../base/actor.ts";
import { quoteName, toLiteral } from "../db/sql.ts";
import type { Field, Model } from "./model.ts";
import { rowRuleSql, titleSql } from "./row-sql.ts";

/*
 * Where stored files are used, read from the declarations: every file field of every model, and every text that people write and
 * in which an address of a file may stand (`holdsAddresses` of its kind). Pictures of people are files of their own, see `pictures`.
 */

/** The model of the files themselves. */
const FILE_MODEL = "files.stored_file";

/** A field that may name stored files. */
interface UsingField {
  model: Model;
  field: Field;
  /** Its column holds a key; else a text with addresses in it. */
  isKey: boolean;
}

/** A key inside an address, of the file or of its smaller pictures. */
const KEY_IN_TEXT = "/(?:files|pictures)/([0-9a-f]{32}\\.[a-z0-9]{1,5})";

/** Large tables are no content that shows files, and what a subject's writer writes is people's own. */
function holdsAddresses(
  { isLarge, hasWriter, access }: Model,
  { kind, isSecret, isReadOnly }: Field,
): boolean {
  return (
    kind.holdsAddresses === true &&
    !isReadOnly &&
    !isSecret &&
    !isLarge &&
    !hasWriter &&
    access.update !== null
  );
}

function listUsingFields(models: readonly Model[]): UsingField[] {
  return models.flatMap((model) =>
    model.key === FILE_MODEL
      ? []
      : model.fields.flatMap((field) => {
          const isKey = field.kind.holdsFile === true;
          const isUsing = field.column !== null && (isKey || holdsAddresses(model, field));
          return isUsing ? [{ model, field, isKey }] : [];
        }),
  );
}

function unionSql(parts: readonly string[], none: string): string {
  return parts.length > 0 ? parts.join(" UNION ALL ") : none;
}

/** SQL of a condition: whether a row `x` uses the file whose key is `key` (SQL). */
function usesKeySql({ field, isKey }: UsingField, key: string, alias = "x"): string {
  return isKey ? `${field.sql(alias)} = ${key}` : `strpos(${field.sql(alias)}::text, ${key}) > 0`;
}

/** Who counts as seeing a row: a reader, by the console's rules. */
type Viewer = Pick<Reader, "level" | "userId">;

/** SQL of the condition that a reader sees the field in a row `x`; undefined: they never do. */
function seesSql({ model, field }: UsingField, viewer: Viewer): string | undefined {
  const { view } = model.access;
  if (view === null || viewer.level < view || viewer.level < field.viewLevel) return undefined;
  return rowRuleSql(model, "view", "x", viewer) ?? "true";
}

/**
 * SQL of the rows that use a file, as far as a reader sees them: `model` (content type), `id`, `repr`, `label` (what a row of the
 * model is called) and `field`. `key` is SQL of the file's key.
 */
export function usesSql(models: readonly Model[], key: string, reader: Reader): string {
  const parts = listUsingFields(models).flatMap((using) => {
    const { model, field } = using;
    const sees = seesSql(using, reader);
    const label = toLiteral(model.labels[reader.lang]);
    return sees === undefined
      ? []
      : [
          `SELECT ${model.contentTypeId} AS model, x.id::bigint AS id, ${titleSql(model, "x", reader.lang)} AS repr,
             ${label} AS label, ${toLiteral(field.name)} AS field
           FROM ${quoteName(model.table)} x WHERE ${usesKeySql(using, key)} AND ${sees}`,
        ];
  });
  return unionSql(
    parts,
    "SELECT 0 AS model, 0::bigint AS id, '' AS repr, '' AS label, '' AS field WHERE false",
  );
}

/** SQL of all keys that a field names in the rows for which `where` holds. */
function namedKeysSql({ model, field, isKey }: UsingField, where: string): string {
  const value = field.sql("x");
  const from = `FROM ${quoteName(model.table)} x`;
  return isKey
    ? `SELECT ${value} AS key ${from} WHERE ${value} IS NOT NULL AND ${where}`
    : `SELECT m[1] AS key ${from}, regexp_matches(${value}::text, ${toLiteral(KEY_IN_TEXT)}, 'g') m WHERE ${where}`;
}

/** SQL of the keys of all files that some row uses, whoever sees it. */
export function usedKeysSql(models: readonly Model[]): string {
  const parts = listUsingFields(models).map((using) => namedKeysSql(using, "true"));
  return unionSql(parts, "SELECT NULL::text AS key WHERE false");
}
