import { notifyChange } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type EndReason, endSessions } from "./store.ts";

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
  await notifyChange(db, "accounts.session");
  return ended;
}
