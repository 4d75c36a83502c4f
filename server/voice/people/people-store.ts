import type { Queryable } from "#server/db/pool.ts";
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
