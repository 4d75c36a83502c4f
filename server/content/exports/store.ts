import type { ExportInfo } from "#contract/content/exports.ts";
import { isAliveSql } from "#server/db/leases/lease-store.ts";
import type { Queryable } from "#server/db/pool.ts";

/** What is known of an export before its first byte. */
interface NewExport {
  id: string;
  contentTypeId: number;
  userId: number | null;
  format: string;
  fileName: string;
  processId: string;
}

/** What a whole file was. */
export interface ExportTotals {
  rowCount: number;
  byteCount: number;
  sha256: string;
}

export async function insertExport(db: Queryable, made: NewExport): Promise<void> {
  await db.query(
    `INSERT INTO content_export (id, content_type_id, user_id, format, file_name, status, process_id)
     VALUES ($1, $2, $3, $4, $5, 'running', $6)`,
    [made.id, made.contentTypeId, made.userId, made.format, made.fileName, made.processId],
  );
}

/** Whether the person has exported any of the models before, as far back as exports are known. `id`: of the one that begins. */
export async function hasExported(
  db: Queryable,
  { id, userId, contentTypeIds }: { id: string; userId: number; contentTypeIds: readonly number[] },
): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM content_export WHERE user_id = $2 AND id <> $1 AND content_type_id = ANY($3::integer[]) LIMIT 1",
    [id, userId, contentTypeIds],
  );
  return rowCount === 1;
}

export async function completeExport(db: Queryable, id: string, totals: ExportTotals): Promise<void> {
  await db.query(
    `UPDATE content_export SET status = 'complete', row_count = $2, byte_count = $3, sha256 = $4, finished_at = clock_timestamp()
     WHERE id = $1`,
    [id, totals.rowCount, totals.byteCount, totals.sha256],
  );
}

/** Of a file that its reader has not whole. */
export async function breakExport(db: Queryable, id: string, status: "failed" | "abandoned"): Promise<void> {
  await db.query(
    `UPDATE content_export SET status = $2, row_count = NULL, byte_count = NULL, sha256 = NULL, finished_at = clock_timestamp()
     WHERE id = $1`,
    [id, status],
  );
}

interface ExportRow extends Omit<ExportInfo, "row_count" | "byte_count"> {
  row_count: string | null;
  byte_count: string | null;
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/** SQL that is true of exports whose process ended in the middle of them. `own`: SQL of the asking process's id. */
const isLeftSql = (own: string) =>
  `(status = 'running' AND (process_id IS NULL OR NOT ${isAliveSql("process_id", own)}))`;

/** An export that a person made, or anybody's for those who may see all. One that a dead process left has failed. */
export async function selectExport(
  db: Queryable,
  id: string,
  reader: { userId: number | null; seesAll: boolean; processId: string },
): Promise<ExportInfo | undefined> {
  const { rows } = await db.query<ExportRow>(
    `SELECT id, content_type_id, format, file_name, CASE WHEN ${isLeftSql("$4")} THEN 'failed' ELSE status END AS status, row_count, byte_count,
       sha256, created_at, finished_at
     FROM content_export WHERE id = $1 AND ($3 OR user_id = $2)`,
    [id, reader.userId, reader.seesAll, reader.processId],
  );
  const [row] = rows;
  return row && { ...row, row_count: toNumber(row.row_count), byte_count: toNumber(row.byte_count) };
}

/** Those that processes left when they ended, but for the asking one's. */
export async function failLeft(db: Queryable, processId: string): Promise<void> {
  await db.query(
    `UPDATE content_export SET status = 'failed', finished_at = clock_timestamp() WHERE ${isLeftSql("$1")}`,
    [processId],
  );
}

export async function deleteBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("DELETE FROM content_export WHERE created_at < $1", [moment]);
}
