import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type EndReason, endSessions } from "./store.ts";

/**
 * Tells every process, at commit, that sessions of a person have ended. `accounts.session` is no content model, only a name
 * for notices: their ids are people's.
 */
export async function tellSessionsEnded(db: Queryable, userId: number): Promise<void> {
  await notifyChange(db, "accounts.session", toRowChange("deleted", [userId]));
}

/**
 * Ends every living session of a person, one perhaps excepted, in the caller's transaction. After commit the caller drops
 * `parts.sessionAccounts`. `now` in milliseconds.
 */
export async function endAllSessions(
  db: Queryable,
  userId: number,
  reason: EndReason,
  now: number,
  exceptId?: string,
): Promise<number> {
  const ended = await endSessions(db, userId, reason, now, exceptId);
  await tellSessionsEnded(db, userId);
  return ended;
}
