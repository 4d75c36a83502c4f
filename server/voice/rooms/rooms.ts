import type * as z from "zod/mini";
import { ACCESS_LEVEL, hasAdminAccess } from "#contract/access-levels.ts";
import type { ChangeRoomRequest, createRoomRequest } from "#contract/room-requests.ts";
import { getMaxSeats } from "#contract/voice-room-rules.ts";
import type {
  VoiceRoom,
  VoiceRoomsAnswer,
  voiceRoomAnswer,
  voiceRoomCreated,
} from "#contract/voice-rooms.ts";
import { AppError } from "#server/base/errors.ts";
import type { Caller, SignedIn } from "../../base/actor.ts";
import { getContentTypeId, ROOM_MODEL, type VoiceParts } from "../parts.ts";
import { readModerator, requireModerator } from "../people/may-moderate.ts";
import { findRoom, findRoomById, listRooms, type RoomRow } from "./room-store.ts";
import { toVoiceRoom } from "./voice-room.ts";

/**
 * The generic door is the admins'. Who may write which room says the room's writer, which reads their own level from the
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
export async function requireRoom({ pool }: Pick<VoiceParts, "pool">, slug: string): Promise<RoomRow> {
  const room = await findRoom(pool, slug);
  if (!room) throw new AppError("room_not_found");
  return room;
}

async function requireOwnRoom(parts: VoiceParts, slug: string, { actor }: Caller): Promise<RoomRow> {
  const room = await requireRoom(parts, slug);
  requireModerator(await readModerator(parts.pool, actor), room);
  return room;
}

export function toAnswer({ live }: Pick<VoiceParts, "live">, room: RoomRow): VoiceRoom {
  return toVoiceRoom(room, live.countSeats(room.public_id));
}

/** A room that was just written. @throws AppError room_not_found. */
async function tell(parts: VoiceParts, id: number): Promise<VoiceRoom> {
  await parts.live.roomChanged(id);
  const room = await findRoomById(parts.pool, id);
  if (!room) throw new AppError("room_not_found");
  return toAnswer(parts, room);
}

/** What the person may see of the rooms: public ones and their own; admins see all. */
export async function listVoiceRooms(parts: VoiceParts, person: SignedIn): Promise<VoiceRoomsAnswer> {
  const rooms = await listRooms(parts.pool, {
    userId: person.userId,
    seesAll: hasAdminAccess(person.level),
  });
  return { data: rooms.map((room) => toAnswer(parts, room)), max_seats: getMaxSeats(parts.hasMixer) };
}

export async function getVoiceRoom(
  parts: VoiceParts,
  slug: string,
): Promise<z.output<typeof voiceRoomAnswer>> {
  return { ...toAnswer(parts, await requireRoom(parts, slug)), max_seats: getMaxSeats(parts.hasMixer) };
}

/** @throws AppError validation_failed, room_creation_denied, too_many_rooms. */
export async function createVoiceRoom(
  parts: VoiceParts,
  { created_by: _, ...values }: z.output<typeof createRoomRequest>,
  caller: Caller,
): Promise<z.output<typeof voiceRoomCreated>> {
  const contentTypeId = getContentTypeId(parts.registry, ROOM_MODEL);
  const { record } = await parts.content.create(contentTypeId, { ...values }, toWriting(caller));
  const room = await tell(parts, record.id);
  return { ...room, room_id: room.id, room_name: room.name, room_slug: room.slug };
}

/** @throws AppError room_not_found, permission_denied, validation_failed. */
export async function changeVoiceRoom(
  parts: VoiceParts,
  slug: string,
  values: ChangeRoomRequest,
  caller: Caller,
): Promise<VoiceRoom> {
  const { id } = await requireOwnRoom(parts, slug, caller);
  const contentTypeId = getContentTypeId(parts.registry, ROOM_MODEL);
  await parts.content
    .update(contentTypeId, id, { ...values }, { mode: "patch" }, toWriting(caller))
    .catch((error: unknown) => {
      throw toRoomError(error);
    });
  return tell(parts, id);
}

/** @throws AppError room_not_found, permission_denied. */
export async function deleteVoiceRoom(parts: VoiceParts, slug: string, caller: Caller): Promise<void> {
  const { id } = await requireOwnRoom(parts, slug, caller);
  const contentTypeId = getContentTypeId(parts.registry, ROOM_MODEL);
  await parts.content.delete(contentTypeId, id, {}, toWriting(caller)).catch((error: unknown) => {
    throw toRoomError(error);
  });
  await parts.live.roomChanged(id);
}
