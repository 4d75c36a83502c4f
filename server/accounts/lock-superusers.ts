import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";

/** Any number, the same in every version. */
const LEVELS_LOCK = 4_701_924;

/** One at a time takes levels from people: of two who demote each other, the second has no right to it any more. First of all locks. */
export async function lockLevelsOfPeople(db: Queryable): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock($1)", [LEVELS_LOCK]);
}

/**
 * Numbers of the owners: active superusers with a proven address, who can sign in. No superuser, and none of `ids`, can go or be
 * changed before the transaction ends: of two who leave at once, the second waits for the first and then finds itself alone.
 * All in one order, so that no two writers wait for each other.
 */
export async function lockSuperusers(db: Queryable, ids: readonly number[] = []): Promise<number[]> {
  const { rows } = await db.query<{ id: number; is_owner: boolean }>(
    `SELECT u.id, l.level = $1 AND u.is_active AND u.is_email_verified AS is_owner
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE (l.level = $1 AND u.is_active) OR u.id = ANY($2::integer[]) ORDER BY u.id FOR UPDATE OF u`,
    [ACCESS_LEVEL.superuser, ids],
  );
  return rows.filter((row) => row.is_owner).map(({ id }) => id);
}

/**
 * The site keeps an owner: before an owner goes, is demoted or suspended, or loses the proof of their address.
 * @param field of the write that would end it.
 * @throws AppError last_superuser.
 */
export async function requireOtherSuperuser(db: Queryable, userId: number, field?: string): Promise<void> {
  const superusers = await lockSuperusers(db);
  if (superusers.some((id) => id !== userId)) return;
  throw new AppError("last_superuser", { fields: field ? [{ field, code: "last_superuser" }] : [] });
}
