import type { Queryable } from "#server/db/pool.ts";

/** What somebody tells the admins of somebody else. */
export interface NewReport {
  roomId: number;
  roomName: string;
  reporterId: number;
  reportedId: number;
  reason: string;
  message: string;
}

export async function insertReport(db: Queryable, report: NewReport): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO voice_report (room_id, room_name, reporter_id, reported_id, reason, message)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [report.roomId, report.roomName, report.reporterId, report.reportedId, report.reason, report.message],
  );
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL gave no number to a report");
  return row.id;
}

export type ReportState = "open" | "in_review" | "closed";

/** What is undefined stays. */
export async function updateReport(
  db: Queryable,
  id: number,
  { state, note }: { state: ReportState | undefined; note: string | null | undefined },
): Promise<void> {
  await db.query(
    `UPDATE voice_report SET state = COALESCE($2, state), note = CASE WHEN $3 THEN $4 ELSE note END,
       updated_at = now()
     WHERE id = $1 AND (($2::text IS NOT NULL AND state <> $2) OR ($3 AND note IS DISTINCT FROM $4))`,
    [id, state ?? null, note !== undefined, note ?? null],
  );
}

/** @returns its room's name; undefined: it is gone already. */
export async function deleteReport(db: Queryable, id: number): Promise<string | undefined> {
  const { rows } = await db.query<{ room_name: string }>(
    "DELETE FROM voice_report WHERE id = $1 RETURNING room_name",
    [id],
  );
  return rows[0]?.room_name;
}

/** @returns how many. */
export async function deleteReportsBefore(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query("DELETE FROM voice_report WHERE created_at < $1", [
    before.toISOString(),
  ]);
  return rowCount ?? 0;
}
