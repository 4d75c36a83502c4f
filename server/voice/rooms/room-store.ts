import type { RoomEngine } from "#contract/voice/rooms.ts";
import type { Queryable } from "../../db/pool.ts";

/** A room as the database has it. */
export interface RoomRow {
  id: number;
  public_id: string;
  slug: string;
  name: string;
  description: string;
  max_participants: number;
  is_public: boolean;
  auto_mute_on_join: boolean;
  is_active: boolean;
  engine: RoomEngine;
  /** Null: the account is gone. */
  created_by_id: number | null;
  /** ISO moments. */
  created_at: string;
  updated_at: string;
}

/** Of two readings of a room the one that was written later. */
export function pickLater(known: RoomRow, read: RoomRow): RoomRow {
  return Date.parse(read.updated_at) < Date.parse(known.updated_at) ? known : read;
}

/** What people write of a room. */
export type RoomValues = Pick<
  RoomRow,
  "name" | "description" | "max_participants" | "is_public" | "auto_mute_on_join" | "is_active"
>;

/** A room, and what there is between it and somebody who enters. */
export interface Entry {
  room: RoomRow;
  isBanned: boolean;
  isSilenced: boolean;
  /** Whom the person has blocked. */
  blocked: number[];
  blockedBy: number[];
}

const COLUMNS = `r.id, r.public_id, r.slug, r.name, r.description, r.max_participants, r.is_public,
  r.auto_mute_on_join, r.is_active, r.engine, r.created_by_id, r.created_at, r.updated_at`;

const LISTED_MAX = 500;

/** By slug or public id: no slug has the shape of an id. */
export async function findRoom(db: Queryable, slugOrPublicId: string): Promise<RoomRow | undefined> {
  const { rows } = await db.query<RoomRow>(
    `SELECT ${COLUMNS} FROM voice_room r WHERE r.slug = $1 OR r.public_id = $1`,
    [slugOrPublicId],
  );
  return rows[0];
}

export async function findRoomById(db: Queryable, id: number): Promise<RoomRow | undefined> {
  const { rows } = await db.query<RoomRow>(`SELECT ${COLUMNS} FROM voice_room r WHERE r.id = $1`, [id]);
  return rows[0];
}

/** The same by slug or public id, and it stays until the transaction ends. */
export async function holdRoom(db: Queryable, slugOrPublicId: string): Promise<RoomRow | undefined> {
  const { rows } = await db.query<RoomRow>(
    `SELECT ${COLUMNS} FROM voice_room r WHERE r.slug = $1 OR r.public_id = $1 FOR KEY SHARE`,
    [slugOrPublicId],
  );
  return rows[0];
}

/** For somebody who is about to enter a room, which is named by its public id alone. */
export async function findEntry(db: Queryable, publicId: string, userId: number): Promise<Entry | undefined> {
  const restricted = (kind: "ban" | "mute") =>
    `EXISTS (SELECT FROM voice_restriction v WHERE v.room_id = r.id AND v.user_id = $2 AND v.kind = '${kind}')`;
  const { rows } = await db.query<RoomRow & Omit<Entry, "room">>(
    `SELECT ${COLUMNS}, ${restricted("ban")} AS "isBanned", ${restricted("mute")} AS "isSilenced",
       ARRAY(SELECT blocked_id FROM voice_block WHERE blocker_id = $2) AS blocked,
       ARRAY(SELECT blocker_id FROM voice_block WHERE blocked_id = $2) AS "blockedBy"
     FROM voice_room r WHERE r.public_id = $1`,
    [publicId, userId],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { isBanned, isSilenced, blocked, blockedBy, ...room } = row;
  return { room, isBanned, isSilenced, blocked, blockedBy };
}

/** Newest first: public ones and the person's own, or all. */
export async function listRooms(
  db: Queryable,
  { userId, seesAll }: { userId: number; seesAll: boolean },
): Promise<RoomRow[]> {
  const { rows } = await db.query<RoomRow>(
    `SELECT ${COLUMNS} FROM voice_room r WHERE $2 OR r.is_public OR r.created_by_id = $1
     ORDER BY r.created_at DESC, r.id DESC LIMIT ${LISTED_MAX}`,
    [userId, seesAll],
  );
  return rows;
}

/** Rooms that somebody made, as their export shows them, newest first. */
export async function listRoomsOf(db: Queryable, creatorId: number): Promise<object[]> {
  const { rows } = await db.query<object>(
    `SELECT public_id AS id, slug, name, description, max_participants, is_public, auto_mute_on_join, is_active,
       engine, created_at, updated_at FROM voice_room WHERE created_by_id = $1 ORDER BY created_at DESC, id DESC`,
    [creatorId],
  );
  return rows;
}

/** Undefined: another room has the slug. */
export async function insertRoom(
  db: Queryable,
  room: RoomValues & Pick<RoomRow, "public_id" | "slug" | "engine" | "created_by_id">,
): Promise<{ id: number } | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO voice_room (public_id, slug, name, description, max_participants, is_public, auto_mute_on_join,
       is_active, engine, created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (slug) DO NOTHING RETURNING id`,
    [
      room.public_id,
      room.slug,
      room.name,
      room.description,
      room.max_participants,
      room.is_public,
      room.auto_mute_on_join,
      room.is_active,
      room.engine,
      room.created_by_id,
    ],
  );
  return rows[0];
}

/** `updated_at` grows with each write: of two that began together, too, where `now()` might go back. */
export async function updateRoom(db: Queryable, id: number, values: RoomValues): Promise<void> {
  await db.query(
    `UPDATE voice_room SET name = $2, description = $3, max_participants = $4, is_public = $5,
       auto_mute_on_join = $6, is_active = $7, updated_at = clock_timestamp()
     WHERE id = $1 AND (name, description, max_participants, is_public, auto_mute_on_join, is_active)
       IS DISTINCT FROM ($2, $3, $4::integer, $5::boolean, $6::boolean, $7::boolean)`,
    [
      id,
      values.name,
      values.description,
      values.max_participants,
      values.is_public,
      values.auto_mute_on_join,
      values.is_active,
    ],
  );
}

export async function deleteRoom(db: Queryable, id: number): Promise<void> {
  await db.query("DELETE FROM voice_room WHERE id = $1", [id]);
}

/**
 * Whether the creator may be notified of somebody in the room: not where they were after `since`. Then `now` counts as
 * notified.
 */
export async function takeCreatorNotified(
  db: Queryable,
  id: number,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE voice_room SET creator_told_at = $2
     WHERE id = $1 AND (creator_told_at IS NULL OR creator_told_at <= $3 OR creator_told_at > $2)`,
    [id, now.toISOString(), since.toISOString()],
  );
  return rowCount === 1;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const toDay = (now: Date) => now.toISOString().slice(0, 10);

/**
 * Counts one thing that a person makes today (UTC), in the transaction that makes it: those who come at the same time wait for
 * each other here. @returns false where they have made `max`.
 */
export async function countOne(
  db: Queryable,
  { userId, what, max, now }: { userId: number; what: "room" | "report"; max: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO voice_daily_count AS c (user_id, what, day, made) VALUES ($1, $2, $3, 1)
     ON CONFLICT (user_id, what, day) DO UPDATE SET made = c.made + 1 WHERE c.made < $4`,
    [userId, what, toDay(now), max],
  );
  return rowCount === 1;
}

/** Seconds until the next day (UTC). */
export function getWaitS(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
}

/** Days before today are over. */
export async function deleteOldCounts(db: Queryable, now: Date): Promise<void> {
  await db.query("DELETE FROM voice_daily_count WHERE day < $1", [toDay(now)]);
}
