import type { Queryable } from "#server/db/pool.ts";
import type { BACKUP_RUN_KINDS } from "#server/models/declared/site-backup.ts";

export type RunKind = (typeof BACKUP_RUN_KINDS)[number];

/** A backup or a rehearsal, as it is listed. Moments are ISO text. */
export interface BackupRun {
  id: number;
  kind: RunKind;
  status: "running" | "done" | "failed";
  began_at: string;
  ended_at: string | null;
  file: string | null;
  byte_size: number | null;
  remote: string | null;
  message: string | null;
  mailed_at: string | null;
  removed_at: string | null;
}

const COLUMNS =
  "id, kind, status, began_at, ended_at, file, byte_size::float8, remote, message, mailed_at, removed_at";

/** `file`: what it is going to make, so that a whole one is found again where the end of the run can't be written down. */
export async function beginRun(
  db: Queryable,
  { kind, file, now }: { kind: RunKind; file: string | undefined; now: Date },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO site_backup (kind, status, began_at, created_at, updated_at, file) VALUES ($1, 'running', $2, $2, $2, $3)
     RETURNING id`,
    [kind, now, file ?? null],
  );
  const [row] = rows;
  if (!row) throw new Error("site_backup took no row");
  return row.id;
}

/** What came of a run. */
export interface RunResult {
  status: "done" | "failed";
  file?: string;
  byteSize?: number;
  rowCount?: number;
  fileCount?: number;
  remote?: string | undefined;
  message?: string;
}

export async function endRun(db: Queryable, id: number, result: RunResult, now: Date): Promise<void> {
  await db.query(
    `UPDATE site_backup SET status = $2, ended_at = $3, updated_at = $3, file = $4, byte_size = $5, row_count = $6,
       file_count = $7, remote = $8, message = $9 WHERE id = $1`,
    [
      id,
      result.status,
      now,
      result.file ?? null,
      result.byteSize ?? null,
      result.rowCount ?? null,
      result.fileCount ?? null,
      result.remote ?? null,
      result.message ?? null,
    ],
  );
}

/** Runs whose end nobody wrote down. */
export async function selectRunning(db: Queryable): Promise<BackupRun[]> {
  const { rows } = await db.query<BackupRun>(
    `SELECT ${COLUMNS} FROM site_backup WHERE status = 'running' ORDER BY id`,
  );
  return rows;
}

/** The newest of a kind, and the newest that was done. What a clock that went back since wrote later counts as it was written. */
export async function selectLatest(
  db: Queryable,
  kind: RunKind,
): Promise<{ last: BackupRun | undefined; done: BackupRun | undefined }> {
  const select = async (condition: string) => {
    const { rows } = await db.query<BackupRun>(
      `SELECT ${COLUMNS} FROM site_backup WHERE kind = $1 ${condition} ORDER BY id DESC LIMIT 1`,
      [kind],
    );
    return rows[0];
  };
  const last = await select("AND status <> 'running'");
  return { last, done: last?.status === "done" ? last : await select("AND status = 'done'") };
}

/** The newest backup that was done, where its copy isn't at that place yet. */
export async function selectUncopied(db: Queryable, remote: string): Promise<string | undefined> {
  const { done: backup } = await selectLatest(db, "backup");
  const { done: copy } = await selectLatest(db, "copy");
  const isThere = copy?.file === backup?.file && copy?.remote === remote;
  return isThere ? undefined : (backup?.file ?? undefined);
}

/** The newest first. */
export async function selectRuns(db: Queryable, max: number): Promise<BackupRun[]> {
  const { rows } = await db.query<BackupRun>(`SELECT ${COLUMNS} FROM site_backup ORDER BY id DESC LIMIT $1`, [
    max,
  ]);
  return rows;
}

/** Names of backups that this site made and didn't remove. */
export async function selectMade(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ file: string }>(
    `SELECT file FROM site_backup WHERE kind = 'backup' AND status <> 'running' AND file IS NOT NULL AND removed_at IS NULL`,
  );
  return rows.map(({ file }) => file);
}

/** And of those that it removed here, which may still be at another place. */
export async function selectEverMade(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ file: string }>(
    "SELECT file FROM site_backup WHERE kind = 'backup' AND status <> 'running' AND file IS NOT NULL",
  );
  return new Set(rows.map(({ file }) => file));
}

export async function markRemoved(db: Queryable, files: readonly string[], now: Date): Promise<void> {
  await db.query(
    "UPDATE site_backup SET removed_at = $2, updated_at = $2 WHERE kind = 'backup' AND file = ANY($1::text[]) AND removed_at IS NULL",
    [files, now],
  );
}

/** Whether the owner had a mail about a failure since it last was done. */
export async function isFailureTold(db: Queryable, kind: RunKind, beforeId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM site_backup WHERE kind = $1 AND id < $2 AND status = 'failed' AND mailed_at IS NOT NULL
       AND id > coalesce((SELECT max(id) FROM site_backup WHERE kind = $1 AND id < $2 AND status = 'done'), 0) LIMIT 1`,
    [kind, beforeId],
  );
  return rowCount === 1;
}

export async function markTold(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query("UPDATE site_backup SET mailed_at = $2 WHERE id = $1", [id, now]);
}

/** Those whose file is gone, or that never had one. */
export async function deleteOldRuns(db: Queryable, before: Date): Promise<void> {
  await db.query(
    "DELETE FROM site_backup WHERE began_at < $1 AND (file IS NULL OR removed_at IS NOT NULL OR kind <> 'backup')",
    [before],
  );
}

/** As if it had never begun. */
export async function deleteRun(db: Queryable, id: number): Promise<void> {
  await db.query("DELETE FROM site_backup WHERE id = $1", [id]);
}
