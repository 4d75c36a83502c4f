import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import { notifyChange, type RowChange, toRowChange } from "../../db/change-notices.ts";
import type { Measure } from "../deps.ts";
import { getContentTypeId, RESTRICTION_MODEL, ROOM_MODEL, type VoiceParts } from "../parts.ts";
import { holdRoom, type RoomRow } from "../rooms/room-store.ts";
import { readModerator, requireModerator, requireReach } from "./may-moderate.ts";
import { requirePerson } from "./people.ts";
import { deleteRestriction, insertRestriction, type RestrictionKind } from "./people-store.ts";

type Detail = "voice_mute" | "voice_unmute" | "voice_remove" | "voice_ban" | "voice_unban";

/** What a measure leaves behind: a restriction that is made or lifted, or nothing but its entry in the log. */
interface Order {
  detail: Detail;
  measure?: Measure;
  restriction?: { kind: RestrictionKind; isMade: boolean };
}

/** What a moderator may do to somebody. */
export const ORDERS = {
  mute: { detail: "voice_mute", measure: "muted", restriction: { kind: "mute", isMade: true } },
  unmute: { detail: "voice_unmute", measure: "unmuted", restriction: { kind: "mute", isMade: false } },
  remove: { detail: "voice_remove", measure: "removed" },
  ban: { detail: "voice_ban", measure: "banned", restriction: { kind: "ban", isMade: true } },
  unban: { detail: "voice_unban", restriction: { kind: "ban", isMade: false } },
} as const satisfies Record<string, Order>;

/** The log names people by their numbers alone: names go with the accounts. */
async function record(
  parts: VoiceParts,
  db: Queryable,
  actor: Actor,
  entry: { room: RoomRow; userId: number; detail: Detail },
): Promise<void> {
  const person = `#${entry.userId}`;
  await recordAudit(db, actor, {
    action: "UPDATE",
    detail: entry.detail,
    contentTypeId: getContentTypeId(parts.registry, ROOM_MODEL),
    objectId: entry.room.id,
    objectRepr: entry.room.name,
    message: person,
    changes: { participant: { after: { id: entry.userId, repr: person } } },
  });
}

/** @returns what is told of the restriction; undefined: it was so already. */
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
 * @throws AppError room_not_found, permission_denied, object_not_found.
 */
export async function moderate(
  parts: VoiceParts,
  slug: string,
  actor: SignedIn,
  userId: number,
  order: Order,
): Promise<{ isChanged: boolean }> {
  const { detail, measure, restriction } = order;
  const { room, isChanged } = await withRetriedTransaction(parts.pool, async (db) => {
    const held = await holdRoom(db, slug);
    if (!held) throw new AppError("room_not_found");
    const moderator = await readModerator(db, actor);
    requireModerator(moderator, held);
    const level = await findLevel(db, userId, restriction?.isMade === false);
    requireReach(moderator, { id: userId, level });
    const isNew =
      !restriction ||
      (await restrict(db, held.id, userId, { ...restriction, by: actor.userId })) !== undefined;
    if (isNew) await record(parts, db, actor, { room: held, userId, detail });
    return { room: held, isChanged: isNew };
  });
  if (isChanged && restriction) parts.feed.announce(RESTRICTION_MODEL);
  if (measure) parts.live.measured(room.public_id, userId, measure);
  return { isChanged };
}
