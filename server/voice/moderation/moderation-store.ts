import type { Queryable } from "../../db/pool.ts";
import type { RoomRow } from "../rooms/room-store.ts";

export type RestrictionKind = "mute" | "ban";

/** Somebody's restriction in a room, by the room's public id. */
export interface RoomRestriction {
  roomId: string;
  userId: number;
  kind: RestrictionKind;
}

interface Restricting {
  roomId: number;
  userId: number;
  kind: RestrictionKind;
}

/** Undefined: the person is restricted so already. */
export async function insertRestriction(
  db: Queryable,
  { roomId, userId, kind }: Restricting,
  createdBy: number | null,
): Promise<{ id: number } | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO voice_restriction (room_id, user_id, kind, created_by_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [roomId, userId, kind, createdBy],
  );
  return rows[0];
}

/** Undefined: there was none. */
export async function deleteRestriction(
  db: Queryable,
  { roomId, userId, kind }: Restricting,
): Promise<{ id: number } | undefined> {
  const { rows } = await db.query<{ id: number }>(
    "DELETE FROM voice_restriction WHERE room_id = $1 AND user_id = $2 AND kind = $3 RETURNING id",
    [roomId, userId, kind],
  );
  return rows[0];
}

/** What lifting a restriction by its number has to know. */
export interface FoundRestriction {
  kind: RestrictionKind;
  user_id: number;
  room_created_by_id: RoomRow["created_by_id"];
}

export async function findRestriction(db: Queryable, id: number): Promise<FoundRestriction | undefined> {
  const { rows } = await db.query<FoundRestriction>(
    `SELECT v.kind, v.user_id, r.created_by_id AS room_created_by_id
     FROM voice_restriction v JOIN voice_room r ON r.id = v.room_id WHERE v.id = $1`,
    [id],
  );
  return rows[0];
}

export async function deleteRestrictionById(db: Queryable, id: number): Promise<void> {
  await db.query("DELETE FROM voice_restriction WHERE id = $1", [id]);
}

/** Newest first. */
export async function listBans(
  db: Queryable,
  roomId: number,
): Promise<{ user_id: number; created_at: string }[]> {
  const { rows } = await db.query<{ user_id: number; created_at: string }>(
    `SELECT user_id, created_at FROM voice_restriction WHERE room_id = $1 AND kind = 'ban'
     ORDER BY created_at DESC, id DESC`,
    [roomId],
  );
  return rows;
}

/** Everybody's in some rooms, by the rooms' public ids. */
export async function listRestrictions(
  db: Queryable,
  publicIds: readonly string[],
): Promise<RoomRestriction[]> {
  const { rows } = await db.query<RoomRestriction>(
    `SELECT r.public_id AS "roomId", v.user_id AS "userId", v.kind
     FROM voice_restriction v JOIN voice_room r ON r.id = v.room_id WHERE r.public_id = ANY($1::text[])`,
    [publicIds],
  );
  return rows;
}

/** False: the person had done so already. */
export async function insertBlock(db: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    "INSERT INTO voice_block (blocker_id, blocked_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [blockerId, blockedId],
  );
  return rowCount === 1;
}

export async function deleteBlock(db: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
  const { rowCount } = await db.query("DELETE FROM voice_block WHERE blocker_id = $1 AND blocked_id = $2", [
    blockerId,
    blockedId,
  ]);
  return rowCount === 1;
}

/** What holds for somebody in rooms, as their export shows it, newest first. */
export async function listRestrictionsOf(db: Queryable, userId: number): Promise<object[]> {
  const { rows } = await db.query<object>(
    `SELECT r.name AS room, v.kind, v.created_at FROM voice_restriction v JOIN voice_room r ON r.id = v.room_id
     WHERE v.user_id = $1 ORDER BY v.created_at DESC, v.id DESC`,
    [userId],
  );
  return rows;
}

/** What somebody reported, as their export shows it, newest first. */
export async function listReportsBy(db: Queryable, reporterId: number): Promise<object[]> {
  const { rows } = await db.query<object>(
    `SELECT room_name AS room, reported_id AS about_user_id, reason, message, state, created_at FROM voice_report
     WHERE reporter_id = $1 ORDER BY created_at DESC, id DESC`,
    [reporterId],
  );
  return rows;
}

/** Whom somebody has blocked, newest first. */
export async function listBlocks(
  db: Queryable,
  blockerId: number,
): Promise<{ blocked_id: number; created_at: string }[]> {
  const { rows } = await db.query<{ blocked_id: number; created_at: string }>(
    `SELECT blocked_id, created_at FROM voice_block WHERE blocker_id = $1
     ORDER BY created_at DESC, blocked_id DESC`,
    [blockerId],
  );
  return rows;
}

/** Those whom somebody has blocked, and those who have blocked them. */
export async function listApart(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT blocked_id AS id FROM voice_block WHERE blocker_id = $1
     UNION SELECT blocker_id FROM voice_block WHERE blocked_id = $1`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** What somebody reports to the admins about somebody else. */
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
