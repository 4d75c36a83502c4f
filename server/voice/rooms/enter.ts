import type * as z from "zod/mini";
import type { roomTicket, seatAnswer } from "#contract/voice-rooms.ts";
import { AppError } from "#server/base/errors.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { VoiceParts } from "../parts.ts";
import { findEntry, type RoomRow } from "./room-store.ts";
import { requireRoom, toAnswer } from "./rooms.ts";

/** A room that the person may enter now. @throws AppError room_not_found, banned_from_room, room_closed. */
async function requireOpenDoor(parts: VoiceParts, slug: string, person: SignedIn): Promise<RoomRow> {
  const { public_id } = await requireRoom(parts, slug);
  const entry = await findEntry(parts.pool, public_id, person.userId);
  if (!entry) throw new AppError("room_not_found");
  if (entry.isBanned) throw new AppError("banned_from_room");
  if (!entry.room.is_active) throw new AppError("room_closed");
  return entry.room;
}

/** Keeps a seat for a moment; the channel takes it. @throws AppError as above, room_full, too_many_requests. */
export async function reserveSeat(
  parts: VoiceParts,
  slug: string,
  person: SignedIn,
): Promise<z.output<typeof seatAnswer>> {
  const room = await requireOpenDoor(parts, slug, person);
  const until = await parts.live.reserve(room, person);
  return { room: toAnswer(parts, room), expires_at: until.toISOString() };
}

/** Whoever sits nowhere has left already. @throws AppError room_not_found. */
export async function leaveSeat(
  parts: VoiceParts,
  slug: string,
  person: SignedIn,
  participantId: string | undefined,
): Promise<void> {
  const { public_id } = await requireRoom(parts, slug);
  parts.live.leave(public_id, person.userId, participantId);
}

/** What a browser needs to enter, until the sooner end of both. @throws AppError as `requireOpenDoor`. */
export async function issueRoomTicket(
  parts: VoiceParts,
  slug: string,
  person: SignedIn,
): Promise<z.output<typeof roomTicket>> {
  const room = await requireOpenDoor(parts, slug, person);
  const now = parts.now();
  const ticket = parts.issueTicket(room, person, now);
  const ice = parts.listIceServers(person, now);
  const ends = [ticket.expires_at, ...(ice.expires_at === null ? [] : [ice.expires_at])];
  const expiresAt = new Date(Math.min(...ends.map((end) => Date.parse(end))));
  return {
    room_name: room.name,
    token: ticket.token,
    ice_servers: ice.ice_servers,
    expires_at: expiresAt.toISOString(),
  };
}
