import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toMoment } from "../store.ts";

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
 * Sessions go with the row; so do codes of the addresses (in lower case) that it has proven, and of one that it wanted to move
 * to. Codes of an address that it only claimed are others' too, and what was sent after `sentBefore` still bounds
 * how soon the address is sent another. False: it is gone, or its password is not the compared one any more.
 */
export async function deleteAccount(
  db: Queryable,
  account: { id: number; passwordHash: string; proven: readonly string[]; sentBefore: number },
): Promise<boolean> {
  await db.query(
    `DELETE FROM account_code
     WHERE email = ANY($1) OR (user_id = $2 AND purpose = 'change_email' AND sent_at <= $3)`,
    [account.proven, account.id, toMoment(account.sentBefore)],
  );
  const { rowCount } = await db.query("DELETE FROM account_user WHERE id = $1 AND password_hash = $2", [
    account.id,
    account.passwordHash,
  ]);
  return rowCount === 1;
}
