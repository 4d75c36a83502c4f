import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Queryable } from "#server/db/pool.ts";

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

/**
 * Sessions and codes go with the row; so do codes that were asked for under these addresses (in lower case) when nobody had
 * them. False: it is gone, or its password is not the compared one any more.
 */
export async function deleteAccount(
  db: Queryable,
  account: { id: number; passwordHash: string; addresses: readonly string[] },
): Promise<boolean> {
  await db.query("DELETE FROM account_code WHERE email = ANY($1)", [account.addresses]);
  const { rowCount } = await db.query("DELETE FROM account_user WHERE id = $1 AND password_hash = $2", [
    account.id,
    account.passwordHash,
  ]);
  return rowCount === 1;
}
