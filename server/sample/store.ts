import { createHash } from "node:crypto";
import { getTableName } from "drizzle-orm";
import pg from "pg";
import type { LocalizedText } from "#contract/languages.ts";
import { SAMPLE_MODELS } from "#contract/site/site.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { toModelKey } from "#server/models/registry/registry.ts";

/** What the store has to know of a declared model. */
export interface SampleModel {
  key: string;
  declaration: ModelDeclaration;
  /** Quoted. */
  table: string;
  /** The column that moves when somebody edits a row; of a file, which nobody edits, the moment of its upload. */
  version: "updated_at" | "created_at";
}

function toSampleModel(declaration: ModelDeclaration): SampleModel {
  return {
    key: toModelKey(declaration),
    declaration,
    table: quoteName(getTableName(declaration.table)),
    version: "updated_at" in declaration.table ? "updated_at" : "created_at",
  };
}

const MODELS = new Map(DECLARED.map((declaration) => [toModelKey(declaration), toSampleModel(declaration)]));

/** Those of the named models that are declared, in the order of the names. */
export function findModels(keys: readonly string[]): SampleModel[] {
  return keys.map((key) => MODELS.get(key)).filter((model) => model !== undefined);
}

export function requireModel(key: string): SampleModel {
  const model = MODELS.get(key);
  if (!model) throw new Error(`${key} is not declared`);
  return model;
}

/** Tables whose rows people write: what may name a stored file. */
const WRITTEN_TABLES: readonly string[] = [...MODELS.values()]
  .filter(({ declaration }) => declaration.access.update !== null)
  .map(({ table }) => table);

export const FILE_MODEL = "files.stored_file";

/** Models that sample content has rows of. */
export const CV_MODELS = SAMPLE_MODELS;

/** A row's columns as `to_jsonb` gives them. */
export type RowColumns = Readonly<Record<string, unknown>> & { id: number };

/** Whether a row of these models is still as it came: an edit since then has moved its `updated_at`. */
export async function selectHasSample(db: Queryable, models: readonly string[]): Promise<boolean> {
  const known = findModels(models);
  if (known.length === 0) return false;
  const tests = known.map(
    ({ key, table, version }) => `EXISTS (SELECT FROM sample_row s JOIN ${table} item
       ON item.id = s.object_id AND item.${version} = s.row_updated_at WHERE s.model = ${pg.escapeLiteral(key)})`,
  );
  const text = `SELECT ${tests.join(" OR ")} AS has_sample`;
  // Every page asks. Named and without parameters: PostgreSQL plans it once a connection.
  const name = `has_sample_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  const { rows } = await db.query<{ has_sample: boolean }>({ name, text });
  return rows[0]?.has_sample ?? false;
}

/** How many sample rows of each model are as they came, and how many were edited since. */
export async function selectSampleCounts(
  db: Queryable,
  models: readonly string[],
): Promise<ReadonlyMap<string, { untouched: number; edited: number }>> {
  const counts = findModels(models).map(
    ({ key, table, version }) => `SELECT ${pg.escapeLiteral(key)} AS model,
       count(*) FILTER (WHERE item.${version} = s.row_updated_at)::integer AS untouched,
       count(*) FILTER (WHERE item.${version} <> s.row_updated_at)::integer AS edited
     FROM sample_row s JOIN ${table} item ON item.id = s.object_id WHERE s.model = ${pg.escapeLiteral(key)}`,
  );
  const { rows } = await db.query<{ model: string; untouched: number; edited: number }>(
    counts.join(" UNION ALL "),
  );
  return new Map(rows.map(({ model, ...count }) => [model, count]));
}

/** Lets no one else write these models until the transaction ends; reading goes on. By name, as an import locks them. */
export async function lockModels(db: Queryable, models: readonly string[]): Promise<void> {
  const tables = findModels(models)
    .map(({ table }) => table)
    .sort();
  await db.query(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
}

export async function selectIsEmpty(db: Queryable, models: readonly string[]): Promise<boolean> {
  const tests = findModels(models).map(({ table }) => `EXISTS (SELECT FROM ${table})`);
  const { rows } = await db.query<{ is_filled: boolean }>(`SELECT ${tests.join(" OR ")} AS is_filled`);
  return rows[0]?.is_filled === false;
}

export async function selectSeeds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>("SELECT name FROM site_seed");
  return rows.map(({ name }) => name);
}

/** Marks seeds as put in. @returns those that weren't; a second process waits here until the first one is through. */
export async function takeSeeds(db: Queryable, names: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `INSERT INTO site_seed (name) SELECT name FROM unnest($1::text[]) seed(name) ORDER BY name
     ON CONFLICT DO NOTHING RETURNING name`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Inserts a row, undefined when it is there already. `isSample` remembers it as one that came with the product. */
export async function insertRow(
  db: Queryable,
  { key, table, version }: SampleModel,
  values: Readonly<Record<string, unknown>>,
  isSample: boolean,
): Promise<number | undefined> {
  const columns = Object.keys(values).map(quoteName).join(", ");
  const { rows } = await db.query<{ id: number }>(
    `WITH made AS (
       INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)
       ON CONFLICT DO NOTHING RETURNING id, ${version}
     ), marked AS (
       INSERT INTO sample_row (model, object_id, row_updated_at) SELECT $2, id, ${version} FROM made WHERE $3::boolean
     )
     SELECT id FROM made`,
    [JSON.stringify(values), key, isSample],
  );
  return rows[0]?.id;
}

/** The privacy notice, locked; undefined: there is none. */
export async function selectPrivacy(
  db: Queryable,
): Promise<{ id: number; title: LocalizedText; body: LocalizedText } | undefined> {
  const { rows } = await db.query<{ id: number; title: LocalizedText; body: LocalizedText }>(
    "SELECT id, title, body FROM site_page WHERE slug = 'privacy' FOR UPDATE",
  );
  return rows[0];
}

export async function updateBody(db: Queryable, id: number, body: LocalizedText): Promise<void> {
  await db.query("UPDATE site_page SET body = $2, updated_at = now() WHERE id = $1", [id, body]);
}

/** A row that came with the product, and whether it is as it came. */
export interface SampleMark {
  model: string;
  object_id: number;
  row_updated_at: string;
  is_untouched: boolean;
}

export async function selectMarks(db: Queryable, models: readonly string[]): Promise<SampleMark[]> {
  const known = findModels(models);
  if (known.length === 0) return [];
  const marks = known.map(
    ({ key, table, version }) => `SELECT s.model, s.object_id, s.row_updated_at::text AS row_updated_at,
       item.${version} = s.row_updated_at AS is_untouched
     FROM sample_row s JOIN ${table} item ON item.id = s.object_id WHERE s.model = ${pg.escapeLiteral(key)}`,
  );
  return (await db.query<SampleMark>(marks.join(" UNION ALL "))).rows;
}

/** Marks rows as sample content again, those that are there. */
export async function insertMarks(db: Queryable, marks: readonly SampleMark[]): Promise<void> {
  for (const { key, table } of findModels([...new Set(marks.map(({ model }) => model))])) {
    await db.query(
      `INSERT INTO sample_row (model, object_id, row_updated_at)
       SELECT $1, mark.object_id, mark.row_updated_at
       FROM jsonb_to_recordset($2::jsonb) AS mark(object_id integer, row_updated_at timestamptz)
       JOIN ${table} item ON item.id = mark.object_id ON CONFLICT DO NOTHING`,
      [key, JSON.stringify(marks.filter(({ model }) => model === key))],
    );
  }
}

/** Deletes the sample rows of a model that nobody edited. */
export async function deleteUntouched(db: Queryable, model: SampleModel): Promise<RowColumns[]> {
  const { rows } = await db.query<{ row: RowColumns }>(
    `DELETE FROM ${model.table} item USING sample_row s
     WHERE s.model = $1 AND s.object_id = item.id AND s.row_updated_at = item.${model.version}
     RETURNING to_jsonb(item) AS row`,
    [model.key],
  );
  return rows.map(({ row }) => row).sort((a, b) => a.id - b.id);
}

/** Forgets which rows of a model came with the product. @returns those that are still there. */
export async function forgetRows(db: Queryable, model: SampleModel): Promise<RowColumns[]> {
  const { rows } = await db.query<{ row: RowColumns | null }>(
    `DELETE FROM sample_row s WHERE s.model = $1
     RETURNING (SELECT to_jsonb(item) FROM ${model.table} item WHERE item.id = s.object_id) AS row`,
    [model.key],
  );
  return rows.flatMap(({ row }) => (row ? [row] : [])).sort((a, b) => a.id - b.id);
}

/** Deletes the sample files that nothing names any more: no file field, and no text, where an address may stand too. */
export async function deleteUnusedFiles(db: Queryable): Promise<RowColumns[]> {
  const uses = WRITTEN_TABLES.map(
    (table) => `EXISTS (SELECT FROM ${table} item WHERE strpos(to_jsonb(item)::text, file.key) > 0)`,
  );
  const { rows } = await db.query<{ row: RowColumns }>(
    `WITH unused AS (
       DELETE FROM sample_row s USING ${requireModel(FILE_MODEL).table} file
       WHERE s.model = $1 AND file.id = s.object_id AND NOT (${uses.join(" OR ")}) RETURNING s.object_id
     )
     DELETE FROM ${requireModel(FILE_MODEL).table} file USING unused WHERE file.id = unused.object_id
     RETURNING to_jsonb(file) AS row`,
    [FILE_MODEL],
  );
  return rows.map(({ row }) => row).sort((a, b) => a.id - b.id);
}

/** Those of the keys that are stored files. */
export async function selectStoredKeys(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    "SELECT key FROM stored_file WHERE key = ANY($1::text[])",
    [keys],
  );
  return rows.map(({ key }) => key);
}

/** The number of a model for audit entries, null before the server numbered it. */
export async function selectContentTypeId(
  db: Queryable,
  { declaration }: SampleModel,
): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = $1 AND model_name = $2",
    [declaration.app, declaration.name],
  );
  return rows[0]?.id ?? null;
}
