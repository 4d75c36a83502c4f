import type { RoomBan } from "#contract/voice-people.ts";
import { AppError } from "#server/base/errors.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { VoiceParts } from "../parts.ts";
import { findEntry } from "../rooms/room-store.ts";
import { requireRoom } from "../rooms/rooms.ts";
import { readModerator, requireModerator } from "./may-moderate.ts";
import { moderate, ORDERS } from "./moderation.ts";
import { nameListed } from "./people.ts";
import { listBans } from "./people-store.ts";

/** Of their own microphone somebody only says how it is; what a moderator has muted stays so. */
async function setOwnMuted(parts: VoiceParts, slug: string, userId: number, isMuted: boolean) {
  const { public_id } = await requireRoom(parts, slug);
  const entry = await findEntry(parts.pool, public_id, userId);
  parts.live.setMuted(public_id, userId, isMuted);
  return isMuted || entry?.isSilenced === true;
}

/** @returns whether others don't hear the person now. @throws AppError as `moderate`. */
export async function setMuted(
  parts: VoiceParts,
  slug: string,
  actor: SignedIn,
  { userId, isMuted }: { userId: number; isMuted: boolean },
): Promise<{ user_id: string; is_muted: boolean }> {
  const user_id = String(userId);
  if (userId === actor.userId) return { user_id, is_muted: await setOwnMuted(parts, slug, userId, isMuted) };
  await moderate(parts, slug, actor, userId, isMuted ? ORDERS.mute : ORDERS.unmute);
  return { user_id, is_muted: isMuted };
}

/** They may come back. @throws AppError as `moderate`. */
export async function removeParticipant(
  parts: VoiceParts,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<void> {
  await moderate(parts, slug, actor, userId, ORDERS.remove);
}

/** @throws AppError room_not_found, permission_denied. */
export async function listRoomBans(parts: VoiceParts, slug: string, actor: SignedIn): Promise<RoomBan[]> {
  const room = await requireRoom(parts, slug);
  const moderator = await readModerator(parts.pool, actor);
  requireModerator(moderator, room);
  const bans = await listBans(parts.pool, room.id);
  const ids = bans.map(({ user_id }) => user_id);
  const toName = await nameListed(parts.pool, ids, moderator.level);
  return bans.map(({ user_id, created_at }) => ({
    user_id: String(user_id),
    display_name: toName(user_id),
    created_at,
  }));
}

/** @returns the ban as it is now. @throws AppError as `moderate`. */
export async function banPerson(
  parts: VoiceParts,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<RoomBan> {
  await moderate(parts, slug, actor, userId, ORDERS.ban);
  const bans = await listRoomBans(parts, slug, actor);
  const ban = bans.find(({ user_id }) => user_id === String(userId));
  // Somebody lifted it in the same moment.
  if (!ban) throw new AppError("object_not_found");
  return ban;
}

/** @throws AppError as `moderate`, and object_not_found where the person is not banned. */
export async function unbanPerson(
  parts: VoiceParts,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<void> {
  const { isChanged } = await moderate(parts, slug, actor, userId, ORDERS.unban);
  if (!isChanged) throw new AppError("object_not_found");
}
