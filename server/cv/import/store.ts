import type { Language } from "#contract/languages.ts";
import type { ImportChoices, ImportCounts, ImportFormat } from "#contract/site/cv-import.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { SampleMark } from "#server/sample/service.ts";
import type { JsonObject, JsonValue } from "../resume/json.ts";

/** A row as its table has it, without what the database computes. */
export type StoredRow = JsonObject;

/** A row before and after an import; null: it wasn't there, or isn't any more. */
export interface RowSnapshot {
  model: string;
  before: StoredRow | null;
  after: StoredRow | null;
}

export interface Snapshot {
  rows: RowSnapshot[];
  sample: SampleMark[];
}

export interface ImportRow {
  id: number;
  state: "draft" | "applied" | "undone";
  file_name: string;
  lang: Language;
  format: ImportFormat;
  /** Null: it was applied. */
  document: JsonValue;
  answers: ImportChoices | null;
  backup_file: string | null;
  counts: ImportCounts | null;
  snapshot: Snapshot | null;
  username: string | null;
  created_at: string;
  applied_at: string | null;
  undone_at: string | null;
}

/** Columns that can be written, quoted. */
async function listColumns(db: Queryable, table: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quoteName(table)],
  );
  return rows.map(({ name }) => quoteName(name)).join(", ");
}

/** Rows with these ids as their table has them, by id. */
export async function selectStoredRows(
  db: Queryable,
  table: string,
  ids: readonly number[],
): Promise<Map<number, StoredRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ row: StoredRow & { id: number } }>(
    `SELECT to_jsonb(item) - 'search' AS row FROM ${quoteName(table)} item WHERE id = ANY($1::integer[])`,
    [ids],
  );
  return new Map(rows.map(({ row }) => [row.id, row]));
}

/** Whether a row is as it was stored: an edit moves its `updated_at`. Undefined: it isn't there. */
export async function selectIsUntouched(
  db: Queryable,
  table: string,
  row: StoredRow,
): Promise<boolean | undefined> {
  const { rows } = await db.query<{ is_untouched: boolean }>(
    `SELECT updated_at = $2::timestamptz AS is_untouched FROM ${quoteName(table)} WHERE id = $1`,
    [row.id, row.updated_at],
  );
  return rows[0]?.is_untouched;
}

export async function selectHasRows(db: Queryable, table: string): Promise<boolean> {
  return (await db.query(`SELECT FROM ${quoteName(table)} LIMIT 1`)).rowCount === 1;
}

/** Makes a row what it was, its times included. */
export async function restoreRow(db: Queryable, table: string, row: StoredRow): Promise<void> {
  // The id is the database's own to give, and the row has it already.
  const columns = (await listColumns(db, table)).replace(/^"id", /, "");
  await db.query(
    `UPDATE ${quoteName(table)} item SET (${columns}) =
       (SELECT ${columns} FROM jsonb_populate_record(item, $1::jsonb)) WHERE id = $2`,
    [JSON.stringify(row), row.id],
  );
}

/** Puts a row back under the number that it had. */
export async function reinsertRow(db: Queryable, table: string, row: StoredRow): Promise<void> {
  const columns = await listColumns(db, table);
  await db.query(
    `INSERT INTO ${quoteName(table)} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM jsonb_populate_record(NULL::${quoteName(table)}, $1::jsonb)`,
    [JSON.stringify(row)],
  );
}

const COLUMNS = `i.id, i.state, i.file_name, i.lang, i.format, i.document, i.answers, i.counts, i.snapshot, i.backup_file, u.username,
  to_json(i.created_at) #>> '{}' AS created_at, to_json(i.applied_at) #>> '{}' AS applied_at,
  to_json(i.undone_at) #>> '{}' AS undone_at`;
const FROM = "FROM cv_import i LEFT JOIN account_user u ON u.id = i.user_id";

export async function insertDraft(
  db: Queryable,
  draft: {
    fileName: string;
    lang: Language;
    format: ImportFormat;
    document: JsonValue;
    userId: number | null;
  },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO cv_import (state, file_name, lang, format, document, user_id)
     VALUES ('draft', $1, $2, $3, $4::jsonb, $5) RETURNING id`,
    [draft.fileName, draft.lang, draft.format, JSON.stringify(draft.document), draft.userId],
  );
  return Number(rows[0]?.id);
}

export async function selectImport(db: Queryable, id: number): Promise<ImportRow | undefined> {
  return (await db.query<ImportRow>(`SELECT ${COLUMNS} ${FROM} WHERE i.id = $1`, [id])).rows[0];
}

/** The newest first, without files and rows. */
export async function selectImports(
  db: Queryable,
  limit: number,
): Promise<(Omit<ImportRow, "document" | "answers" | "snapshot"> & { has_snapshot: boolean })[]> {
  const { rows } = await db.query<
    Omit<ImportRow, "document" | "answers" | "snapshot"> & { has_snapshot: boolean }
  >(
    `SELECT i.id, i.state, i.file_name, i.lang, i.format, i.counts, i.backup_file, u.username, i.snapshot IS NOT NULL AS has_snapshot,
       to_json(i.created_at) #>> '{}' AS created_at, to_json(i.applied_at) #>> '{}' AS applied_at,
       to_json(i.undone_at) #>> '{}' AS undone_at
     ${FROM} ORDER BY coalesce(i.applied_at, i.created_at) DESC, i.id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Remembers what was answered about a draft. */
export async function updateAnswers(db: Queryable, id: number, answers: ImportChoices): Promise<void> {
  await db.query("UPDATE cv_import SET answers = $2::jsonb WHERE id = $1 AND state = 'draft'", [
    id,
    JSON.stringify(answers),
  ]);
}

/** Remembers which backup was made before an import. */
export async function updateBackupFile(db: Queryable, id: number, file: string): Promise<void> {
  await db.query("UPDATE cv_import SET backup_file = $2 WHERE id = $1", [id, file]);
}

/** The number of the import that can be taken back: the newest that is applied, if what it changed is still known. */
export async function selectUndoable(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number; has_snapshot: boolean }>(
    `SELECT id, snapshot IS NOT NULL AS has_snapshot FROM cv_import WHERE state = 'applied'
     ORDER BY applied_at DESC, id DESC LIMIT 1`,
  );
  return rows[0]?.has_snapshot ? rows[0].id : undefined;
}

/** Makes a draft an applied import. @returns false: it is none any more */
export async function markApplied(
  db: Queryable,
  id: number,
  done: { counts: ImportCounts; snapshot: Snapshot; batchId: string; userId: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE cv_import SET state = 'applied', document = NULL, counts = $2::jsonb, snapshot = $3::jsonb,
       batch_id = $4, user_id = $5, applied_at = clock_timestamp() WHERE id = $1 AND state = 'draft'`,
    [id, JSON.stringify(done.counts), JSON.stringify(done.snapshot), done.batchId, done.userId],
  );
  return rowCount === 1;
}

export async function markUndone(db: Queryable, id: number): Promise<void> {
  await db.query(
    "UPDATE cv_import SET state = 'undone', snapshot = NULL, undone_at = clock_timestamp() WHERE id = $1",
    [id],
  );
}

/** How many imports can be taken back one after the other, as many as backups are kept. */
const KEPT_SNAPSHOTS = 5;
const KEPT_DRAFTS = 5;
const KEPT_IMPORTS = 50;

/** Forgets old drafts with their files, what old imports changed, and at last that they were. */
export async function pruneImports(db: Queryable): Promise<void> {
  const newest = (state: string, count: number) =>
    `(SELECT id FROM cv_import WHERE state = '${state}' ORDER BY coalesce(applied_at, created_at) DESC, id DESC LIMIT ${count})`;
  await db.query(
    `DELETE FROM cv_import WHERE state = 'draft'
       AND (created_at < now() - interval '1 day' OR id NOT IN ${newest("draft", KEPT_DRAFTS)})`,
  );
  await db.query(
    `UPDATE cv_import SET snapshot = NULL
     WHERE state = 'applied' AND snapshot IS NOT NULL AND id NOT IN ${newest("applied", KEPT_SNAPSHOTS)}`,
  );
  await db.query(
    `DELETE FROM cv_import WHERE id NOT IN (SELECT id FROM cv_import ORDER BY id DESC LIMIT ${KEPT_IMPORTS})`,
  );
}
