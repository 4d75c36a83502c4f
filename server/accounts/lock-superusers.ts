import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Queryable } from "#server/db/pool.ts";
import { AppError } from "#server/http/errors.ts";

/**
 * Numbers of the active superusers, none of whom can go or be changed before the transaction ends: of two who leave at once,
 * the second waits for the first and then finds itself alone. Always in the same order, so that neither waits for the other.
 */
export async function lockSuperusers(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT u.id FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE l.level = $1 AND u.is_active ORDER BY u.id FOR UPDATE OF u`,
    [ACCESS_LEVEL.superuser],
  );
  return rows.map(({ id }) => id);
}

/** The site keeps an owner: before a superuser goes, is demoted or suspended. @throws AppError last_superuser. */
export async function requireOtherSuperuser(db: Queryable, userId: number): Promise<void> {
  const superusers = await lockSuperusers(db);
  if (superusers.every((id) => id === userId)) throw new AppError("last_superuser");
}
