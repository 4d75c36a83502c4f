import type { RoomBan } from "#contract/voice/people.ts";
import { describePeople } from "../../accounts/service.ts";
import { recordAudit } from "../../audit/service.ts";
import type { Actor, SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import { notifyChange, type RowChange, toRowChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import { withRetriedTransaction } from "../../db/transaction.ts";
import type { RecordWriter } from "../../models/record-writer.ts";
import { getContentTypeId, type Measure, RESTRICTION_MODEL, ROOM_MODEL, type VoiceDeps } from "../deps.ts";
import { findEntry, holdRoom, type RoomRow } from "../rooms/room-store.ts";
import { readModerator, requireModerator, requireReach, requireRoom } from "../rooms/rooms.ts";
import { nameListed, requirePerson } from "./blocks-and-reports.ts";
import {
  deleteRestriction,
  deleteRestrictionById,
  findRestriction,
  insertRestriction,
  listBans,
  type RestrictionKind,
} from "./moderation-store.ts";

type Detail = "voice_mute" | "voice_unmute" | "voice_remove" | "voice_ban" | "voice_unban";

/** What a measure leaves behind: a restriction that is made or lifted, or nothing but its entry in the log. */
interface Order {
  detail: Detail;
  measure?: Measure;
  restriction?: { kind: RestrictionKind; isMade: boolean };
}

/** What a moderator may do to somebody. */
const ORDERS = {
  mute: { detail: "voice_mute", measure: "muted", restriction: { kind: "mute", isMade: true } },
  unmute: { detail: "voice_unmute", measure: "unmuted", restriction: { kind: "mute", isMade: false } },
  remove: { detail: "voice_remove", measure: "removed" },
  ban: { detail: "voice_ban", measure: "banned", restriction: { kind: "ban", isMade: true } },
  unban: { detail: "voice_unban", restriction: { kind: "ban", isMade: false } },
} as const satisfies Record<string, Order>;

/** The log names people by their numbers alone: names go with the accounts. */
async function record(
  deps: VoiceDeps,
  db: Queryable,
  actor: Actor,
  entry: { room: RoomRow; userId: number; detail: Detail },
): Promise<void> {
  const person = `#${entry.userId}`;
  await recordAudit(db, actor, {
    action: "UPDATE",
    detail: entry.detail,
    contentTypeId: getContentTypeId(deps.registry, ROOM_MODEL),
    objectId: entry.room.id,
    objectRepr: entry.room.name,
    message: person,
    changes: { participant: { after: { id: entry.userId, repr: person } } },
  });
}

/** @returns what is published of the restriction; undefined: it was so already. */
async function restrict(
  db: Queryable,
  roomId: number,
  userId: number,
  given: { kind: RestrictionKind; isMade: boolean; by: number | null },
): Promise<RowChange | undefined> {
  const restricting = { roomId, userId, kind: given.kind };
  const row = given.isMade
    ? await insertRestriction(db, restricting, given.by)
    : await deleteRestriction(db, restricting);
  if (!row) return undefined;
  const change = toRowChange(given.isMade ? "created" : "deleted", [row.id]);
  await notifyChange(db, RESTRICTION_MODEL, change);
  return change;
}

/** Whom a moderator acts on. A ban of somebody who is suspended or proved nothing yet can be lifted all the same. */
async function findLevel(db: Queryable, userId: number, isLifting: boolean): Promise<number> {
  try {
    return (await requirePerson(db, userId)).level;
  } catch (error) {
    if (isLifting && error instanceof AppError) return 0;
    throw error;
  }
}

/**
 * Rules, restriction and entry in one transaction; then it holds at once. What was so already leaves no entry.
 * @throws AppError room_not_found, permission_denied, object_not_found; unavailable where a removal has to be asked for again.
 */
async function moderate(
  deps: VoiceDeps,
  slug: string,
  actor: SignedIn,
  userId: number,
  order: Order,
): Promise<{ isChanged: boolean }> {
  const { detail, measure, restriction } = order;
  const { room, isChanged } = await withRetriedTransaction(deps.pool, async (db) => {
    const held = await holdRoom(db, slug);
    if (!held) throw new AppError("room_not_found");
    const moderator = await readModerator(db, actor);
    requireModerator(moderator, held);
    const level = await findLevel(db, userId, restriction?.isMade === false);
    requireReach(moderator, { id: userId, level });
    const isNew =
      !restriction ||
      (await restrict(db, held.id, userId, { ...restriction, by: actor.userId })) !== undefined;
    if (isNew) await record(deps, db, actor, { room: held, userId, detail });
    return { room: held, isChanged: isNew };
  });
  if (isChanged && restriction) deps.feed.announce(RESTRICTION_MODEL);
  if (measure) await deps.live.measured(room.public_id, userId, measure);
  return { isChanged };
}

/** Of their own microphone somebody only says how it is; what a moderator has muted stays so. */
async function setOwnMuted(deps: VoiceDeps, slug: string, userId: number, isMuted: boolean) {
  const { public_id } = await requireRoom(deps, slug);
  const entry = await findEntry(deps.pool, public_id, userId);
  deps.live.setMuted(public_id, userId, isMuted);
  return isMuted || entry?.isSilenced === true;
}

/** @returns whether others don't hear the person now. @throws AppError as `moderate`. */
export async function setMuted(
  deps: VoiceDeps,
  slug: string,
  actor: SignedIn,
  { userId, isMuted }: { userId: number; isMuted: boolean },
): Promise<{ user_id: string; is_muted: boolean }> {
  const user_id = String(userId);
  if (userId === actor.userId) return { user_id, is_muted: await setOwnMuted(deps, slug, userId, isMuted) };
  await moderate(deps, slug, actor, userId, isMuted ? ORDERS.mute : ORDERS.unmute);
  return { user_id, is_muted: isMuted };
}

/** They may come back. @throws AppError as `moderate`. */
export async function removeParticipant(
  deps: VoiceDeps,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<void> {
  await moderate(deps, slug, actor, userId, ORDERS.remove);
}

/** @throws AppError room_not_found, permission_denied. */
export async function listRoomBans(deps: VoiceDeps, slug: string, actor: SignedIn): Promise<RoomBan[]> {
  const room = await requireRoom(deps, slug);
  const moderator = await readModerator(deps.pool, actor);
  requireModerator(moderator, room);
  const bans = await listBans(deps.pool, room.id);
  const ids = bans.map(({ user_id }) => user_id);
  const toName = await nameListed(deps.pool, ids, moderator.level);
  return bans.map(({ user_id, created_at }) => ({
    user_id: String(user_id),
    display_name: toName(user_id),
    created_at,
  }));
}

/** @returns the ban as it is now. @throws AppError as `moderate`. */
export async function banPerson(
  deps: VoiceDeps,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<RoomBan> {
  await moderate(deps, slug, actor, userId, ORDERS.ban);
  const bans = await listRoomBans(deps, slug, actor);
  const ban = bans.find(({ user_id }) => user_id === String(userId));
  // Somebody lifted it in the same moment.
  if (!ban) throw new AppError("object_not_found");
  return ban;
}

/** @throws AppError as `moderate`, and object_not_found where the person is not banned. */
export async function unbanPerson(
  deps: VoiceDeps,
  slug: string,
  actor: SignedIn,
  userId: number,
): Promise<void> {
  const { isChanged } = await moderate(deps, slug, actor, userId, ORDERS.unban);
  if (!isChanged) throw new AppError("object_not_found");
}

/** Nobody asks for these: the model's access lets nobody create or change a row. */
async function refuse(): Promise<never> {
  throw new AppError("permission_denied");
}

/** Lifts restrictions in the console, by the rules of the voice API. */
export function createRestrictionWriter(): RecordWriter {
  return {
    prepare: async () => undefined,
    create: refuse,
    update: refuse,
    async delete(db, id, actor) {
      const found = await findRestriction(db, id);
      if (!found) throw new AppError("object_not_found");
      const moderator = await readModerator(db, actor);
      requireModerator(moderator, { created_by_id: found.room_created_by_id });
      const target = (await describePeople(db, [found.user_id])).get(found.user_id);
      requireReach(moderator, { id: found.user_id, level: target?.level ?? 0 });
      await deleteRestrictionById(db, id);
      return { detail: found.kind === "ban" ? "voice_unban" : "voice_unmute" };
    },
    committed: () => undefined,
  };
}
