import type { Reader } from "../base/actor.ts";
import { quoteName, toLiteral } from "../db/sql.ts";
import type { Field, Model } from "./model.ts";
import { rowRuleSql, SECTION_MODEL, titleSql, visitorRowSql } from "./row-sql.ts";

/*
 * Where stored files are used, read from the declarations: every file field of every model, and every text that people write and
 * in which an address of a file may stand (`holdsAddresses` of its kind). Pictures of people are files of their own, see `pictures`.
 */

/** The model of the files themselves. */
export const FILE_MODEL = "files.stored_file";

/** A field that may name stored files. */
export interface UsingField {
  model: Model;
  field: Field;
  /** Its column holds a key; else a text with addresses in it. */
  isKey: boolean;
}

/** A key inside an address, of the file or of its smaller pictures. */
const KEY_IN_TEXT = "/(?:files|pictures)/([0-9a-f]{32}\\.[a-z0-9]{1,5})";

/** Large tables are no content that shows files, and what a subject's writer writes is people's own, but for texts that show pictures. */
function holdsAddresses(
  { isLarge, hasWriter, access }: Model,
  { kind, isSecret, isReadOnly }: Field,
): boolean {
  return (
    kind.holdsAddresses === true &&
    !isReadOnly &&
    !isSecret &&
    !isLarge &&
    (!hasWriter || kind.embedsPictures === true) &&
    access.update !== null
  );
}

export function listUsingFields(models: readonly Model[]): UsingField[] {
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
export function usesKeySql({ field, isKey }: UsingField, key: string, alias = "x"): string {
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

/** SQL of the keys that fields name in the rows for which `toWhere` holds: one scan of a model's texts, however many they are. */
function namedKeysSql(fields: readonly UsingField[], toWhere: (model: Model) => string): string {
  const parts = fields
    .filter(({ isKey }) => isKey)
    .map(({ model, field }) => {
      const value = field.sql("x");
      return `SELECT ${value} AS key FROM ${quoteName(model.table)} x WHERE ${value} IS NOT NULL AND ${toWhere(model)}`;
    });
  for (const model of new Set(fields.map((using) => using.model))) {
    const texts = fields
      .filter((using) => using.model === model && !using.isKey)
      .map(({ field }) => `${field.sql("x")}::text`);
    if (texts.length === 0) continue;
    const matches = `regexp_matches(concat_ws(' ', ${texts.join(", ")}), ${toLiteral(KEY_IN_TEXT)}, 'g') m`;
    parts.push(`SELECT m[1] AS key FROM ${quoteName(model.table)} x, ${matches} WHERE ${toWhere(model)}`);
  }
  return unionSql(parts, "SELECT NULL::text AS key WHERE false");
}

/** SQL of the keys of all files that some row uses, whoever sees it. */
export function usedKeysSql(models: readonly Model[]): string {
  return namedKeysSql(listUsingFields(models), () => "true");
}

/** What visitors are shown: the fields that name files in models whose rows they meet. */
function listShown(models: readonly Model[]): UsingField[] {
  return listUsingFields(models).filter(({ model, field }) => model.site !== null && field.viewLevel === 0);
}

/** SQL of the keys of the files that rows use which visitors see. */
export function shownKeysSql(models: readonly Model[]): string {
  return namedKeysSql(listShown(models), (model) => visitorRowSql(model, "x") ?? "true");
}

/** Keys of the models by whose change `shownKeysSql` says something else. */
export function listShownModels(models: readonly Model[]): string[] {
  return [...new Set([FILE_MODEL, SECTION_MODEL, ...listShown(models).map(({ model }) => model.key)])];
}

/** SQL of the condition that a reader sees a row that uses the file whose key is `key` (SQL). */
export function isSeenSql(models: readonly Model[], key: string, viewer: Viewer): string {
  const parts = listUsingFields(models).flatMap((using) => {
    const sees = seesSql(using, viewer);
    const from = `SELECT FROM ${quoteName(using.model.table)} x`;
    return sees === undefined ? [] : [`EXISTS (${from} WHERE ${usesKeySql(using, key)} AND ${sees})`];
  });
  return parts.length > 0 ? `(${parts.join(" OR ")})` : "false";
}
