import { ACCESS_LEVEL, hasAdminAccess } from "#contract/access-levels.ts";
import { describePeople } from "#server/accounts/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RoomRow } from "../rooms/room-store.ts";

/** Who acts, with the level that they have at this moment. */
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
  // A door may have let in less than the account has.
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
