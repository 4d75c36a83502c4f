import type * as z from "zod/mini";
import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { ChangeRoomRequest, createRoomRequest } from "#contract/voice/room-requests.ts";
import { getMaxSeats } from "#contract/voice/room-rules.ts";
import type {
  VoiceRoom,
  VoiceRoomsAnswer,
  voiceRoomAnswer,
  voiceRoomCreated,
} from "#contract/voice/rooms.ts";
import { describePeople } from "../../accounts/service.ts";
import type { Actor, Caller, SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import { getContentTypeId, ROOM_MODEL, type VoiceDeps } from "../deps.ts";
import { findRoom, findRoomById, listRooms, type RoomRow } from "./room-store.ts";

/** The person who acts, with the level that they have at this moment. */
export interface Moderator {
  /** Null: the server itself. */
  userId: number | null;
  level: number;
}

/** Read inside the transaction. @throws AppError permission_denied. */
export async function readModerator(db: Queryable, actor: Actor): Promise<Moderator> {
  const { userId, level } = actor;
  if (userId === null) return { userId, level };
  const person = (await describePeople(db, [userId])).get(userId);
  if (!person) throw new AppError("permission_denied");
  // The request may have come with a lower level than the account has.
  return { userId, level: Math.min(level, person.level) };
}

/** Admins moderate every room, its creator their own. */
export function canModerate({ userId, level }: Moderator, room: Pick<RoomRow, "created_by_id">): boolean {
  return hasAdminAccess(level) || (userId !== null && room.created_by_id === userId);
}

/** @throws AppError permission_denied. */
export function requireModerator(moderator: Moderator, room: Pick<RoomRow, "created_by_id">): void {
  if (!canModerate(moderator, room)) throw new AppError("permission_denied");
}

/**
 * Whom a moderator may act on: not on themselves; below level 10 not on admins; and an admin not on a higher level than their
 * own. @throws AppError permission_denied.
 */
export function requireReach(moderator: Moderator, target: { id: number; level: number }): void {
  const highest = hasAdminAccess(moderator.level) ? moderator.level : ACCESS_LEVEL.admin - 1;
  if (target.id === moderator.userId || target.level > highest) throw new AppError("permission_denied");
}

/** A room as everybody sees it. */
export function toVoiceRoom(row: RoomRow, participantCount: number): VoiceRoom {
  return {
    id: row.public_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    max_participants: row.max_participants,
    is_public: row.is_public,
    auto_mute_on_join: row.auto_mute_on_join,
    is_active: row.is_active,
    created_by: row.created_by_id === null ? "unknown" : String(row.created_by_id),
    participant_count: participantCount,
    inserted_at: row.created_at,
    updated_at: row.updated_at,
    engine: row.engine,
  };
}

/**
 * The generic endpoint is the admins'. The room's writer decides who may write which room, and reads the person's own level from the
 * database.
 */
function toWriting(caller: Caller): Caller {
  const level = Math.max(caller.actor.level, ACCESS_LEVEL.admin);
  return { ...caller, actor: { ...caller.actor, level } };
}

/** Of a room whose row went meanwhile. */
function toRoomError(error: unknown): unknown {
  const isGone = error instanceof AppError && error.code === "object_not_found";
  return isGone ? new AppError("room_not_found", { cause: error }) : error;
}

/** By slug or public id; anybody who has one may ask. @throws AppError room_not_found. */
export async function requireRoom({ pool }: Pick<VoiceDeps, "pool">, slug: string): Promise<RoomRow> {
  const room = await findRoom(pool, slug);
  if (!room) throw new AppError("room_not_found");
  return room;
}

async function requireOwnRoom(deps: VoiceDeps, slug: string, { actor }: Caller): Promise<RoomRow> {
  const room = await requireRoom(deps, slug);
  requireModerator(await readModerator(deps.pool, actor), room);
  return room;
}

export function toAnswer({ live }: Pick<VoiceDeps, "live">, room: RoomRow): VoiceRoom {
  return toVoiceRoom(room, live.countSeats(room.public_id));
}

/** A room that was just written. @throws AppError room_not_found. */
async function readRoom(deps: VoiceDeps, id: number): Promise<VoiceRoom> {
  await deps.live.roomChanged(id);
  const room = await findRoomById(deps.pool, id);
  if (!room) throw new AppError("room_not_found");
  return toAnswer(deps, room);
}

/** What the person may see of the rooms: public ones and their own; admins see all. */
export async function listVoiceRooms(deps: VoiceDeps, person: SignedIn): Promise<VoiceRoomsAnswer> {
  const rooms = await listRooms(deps.pool, {
    userId: person.userId,
    seesAll: hasAdminAccess(person.level),
  });
  return { data: rooms.map((room) => toAnswer(deps, room)), max_seats: getMaxSeats(deps.hasMixer) };
}

export async function getVoiceRoom(deps: VoiceDeps, slug: string): Promise<z.output<typeof voiceRoomAnswer>> {
  return { ...toAnswer(deps, await requireRoom(deps, slug)), max_seats: getMaxSeats(deps.hasMixer) };
}

/** @throws AppError validation_failed, room_creation_denied, too_many_rooms. */
export async function createVoiceRoom(
  deps: VoiceDeps,
  { created_by: _, ...values }: z.output<typeof createRoomRequest>,
  caller: Caller,
): Promise<z.output<typeof voiceRoomCreated>> {
  const contentTypeId = getContentTypeId(deps.registry, ROOM_MODEL);
  const { record } = await deps.content.create(contentTypeId, { ...values }, toWriting(caller));
  const room = await readRoom(deps, record.id);
  return { ...room, room_id: room.id, room_name: room.name, room_slug: room.slug };
}

/** @throws AppError room_not_found, permission_denied, validation_failed. */
export async function changeVoiceRoom(
  deps: VoiceDeps,
  slug: string,
  values: ChangeRoomRequest,
  caller: Caller,
): Promise<VoiceRoom> {
  const { id } = await requireOwnRoom(deps, slug, caller);
  const contentTypeId = getContentTypeId(deps.registry, ROOM_MODEL);
  await deps.content
    .update(contentTypeId, id, { ...values }, { mode: "patch" }, toWriting(caller))
    .catch((error: unknown) => {
      throw toRoomError(error);
    });
  return readRoom(deps, id);
}

/** @throws AppError room_not_found, permission_denied. */
export async function deleteVoiceRoom(deps: VoiceDeps, slug: string, caller: Caller): Promise<void> {
  const { id } = await requireOwnRoom(deps, slug, caller);
  const contentTypeId = getContentTypeId(deps.registry, ROOM_MODEL);
  await deps.content.delete(contentTypeId, id, {}, toWriting(caller)).catch((error: unknown) => {
    throw toRoomError(error);
  });
  await deps.live.roomChanged(id);
}
