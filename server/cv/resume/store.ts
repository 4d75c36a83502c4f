import { createHash } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Model } from "#server/models/model.ts";
import { isSectionHiddenSql } from "#server/models/row-sql.ts";
import { type CvState, parseRow, type Row, toColumns } from "./item.ts";
import type { JsonValue } from "./json.ts";
import { mapSections, type Section, type Sections } from "./sections.ts";

/** Columns that the CV reads and writes; names come from the declarations. */
function getColumns(section: Section): string[] {
  return [...section.fields.map(({ column }) => column), ...(section.listAt ? ["position"] : []), "extra"];
}

function sectionSql(section: Section): string {
  const { key, table } = section.model;
  const hidden = section.listAt ? ["is_hidden", `${isSectionHiddenSql(key)} AS is_section_hidden`] : [];
  const columns = ["id", ...getColumns(section)].map(quoteName).concat(hidden).join(", ");
  const order = section.listAt ? "item.position, item.id" : "item.id";
  const rows = `SELECT ${columns} FROM ${quoteName(table)}`;
  return `(SELECT coalesce(json_agg(item ORDER BY ${order}), '[]') FROM (${rows}) item) AS "${section.name}"`;
}

/** The whole CV in one statement. */
export async function selectState(db: Queryable, sections: Sections): Promise<CvState> {
  const text = `SELECT ${sections.map(sectionSql).join(",\n")}`;
  // Named and without parameters: PostgreSQL plans it once a connection. Planning took longer than reading.
  const name = `cv_state_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  const { rows } = await db.query<Record<string, Record<string, JsonValue>[]>>({ name, text });
  return mapSections(sections, (section) =>
    (rows[0]?.[section.name] ?? []).map((row) => parseRow(section, row)),
  );
}

/** Keys of the models whose sections the owner hid. */
export async function selectHiddenModels(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ model: string }>("SELECT model FROM cv_section WHERE is_hidden");
  return new Set(rows.map(({ model }) => model));
}

/**
 * Lets no one else write the CV until the transaction ends: matching looks at all rows at once. Reading goes on. A weaker
 * mode would let in who has a row locked and writes it next (every edit in the console): a deadlock with this import.
 * Tables are locked by their names' order, as the removal of sample content locks them: neither waits for the other.
 */
export async function lockCv(db: Queryable, sections: Sections): Promise<void> {
  const tables = sections.map(({ model }) => quoteName(model.table)).sort();
  await db.query(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
}

/** Media types of those keys that are stored files. */
export async function selectMediaTypes(db: Queryable, keys: readonly string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.query<{ key: string; media_type: string }>(
    "SELECT key, media_type FROM stored_file WHERE key = ANY($1::text[])",
    [keys],
  );
  return new Map(rows.map((row) => [row.key, row.media_type]));
}

/** Numbers of the CV's models, for audit entries; a model that the server hasn't numbered yet is missing. */
export async function selectContentTypeIds(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: number; key: string }>(
    `SELECT id, app_label || '.' || model_name AS key FROM content_type`,
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}

function columnList(section: Section): string {
  return getColumns(section).map(quoteName).join(", ");
}

export async function insertRow(db: Queryable, section: Section, row: Row): Promise<number> {
  const table = quoteName(section.model.table);
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO ${table} (${columnList(section)})
     SELECT ${columnList(section)} FROM jsonb_populate_record(NULL::${table}, $1::jsonb) RETURNING id`,
    [JSON.stringify(toColumns(section, row))],
  );
  return Number(rows[0]?.id);
}

export async function updateRow(db: Queryable, section: Section, row: Row): Promise<void> {
  const table = quoteName(section.model.table);
  await db.query(
    `UPDATE ${table} SET (${columnList(section)}, updated_at) =
       (SELECT ${columnList(section)}, clock_timestamp() FROM jsonb_populate_record(NULL::${table}, $1::jsonb))
     WHERE id = $2`,
    [JSON.stringify(toColumns(section, row)), row.id],
  );
}

export async function deleteRow(db: Queryable, model: Model, id: number): Promise<void> {
  await db.query(`DELETE FROM ${quoteName(model.table)} WHERE id = $1`, [id]);
}
