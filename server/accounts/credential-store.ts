import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "./account.ts";
import { ACCOUNT_COLUMNS, toMoment } from "./store.ts";

/** What a password is compared with. */
export interface Credentials {
  id: number;
  password_hash: string;
}

interface NamedCredentials extends Credentials {
  username: string;
}

/** What usernames are made of. Of letters beyond these the database and the limits may disagree which are one in another case (İ). */
const USERNAME = /^[A-Za-z0-9_]+$/;

const BY_NAME = "lower(username) = lower($1)";
/** Several accounts may claim an address (decision 10): it stands for the one that proved it. */
const BY_ADDRESS = "lower(email) = $1 AND is_email_verified";

/** By username or by proven e-mail address, in any case. A username has no `@`, so that none is taken for an address. */
export async function findCredentials(db: Queryable, name: string): Promise<NamedCredentials | undefined> {
  const isAddress = name.includes("@");
  if (!isAddress && !USERNAME.test(name)) return undefined;
  const { rows } = await db.query<NamedCredentials>(
    `SELECT id, username, password_hash FROM account_user WHERE ${isAddress ? BY_ADDRESS : BY_NAME}`,
    [isAddress ? name.toLowerCase() : name],
  );
  return rows[0];
}

export async function findPasswordHash(db: Queryable, userId: number): Promise<string | undefined> {
  const { rows } = await db.query<{ password_hash: string }>(
    "SELECT password_hash FROM account_user WHERE id = $1",
    [userId],
  );
  return rows[0]?.password_hash;
}

/** Sets a password if the account is active and, where `compared` is given, its password still that one. */
export async function updatePassword(
  db: Queryable,
  userId: number,
  passwordHash: string,
  compared: string | null,
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `UPDATE account_user u SET password_hash = $2, updated_at = now() FROM access_level l
     WHERE u.id = $1 AND l.id = u.access_level_id AND u.is_active AND u.password_hash = COALESCE($3, u.password_hash)
     RETURNING ${ACCOUNT_COLUMNS}`,
    [userId, passwordHash, compared],
  );
  return rows[0];
}

/**
 * Notes a log-in, if the account is active and its password still the one that was compared. `newHash` is the same password's,
 * made with today's parameters. `updated_at` stays: a log-in is no edit. Nor is it told: each would empty all session caches.
 */
export async function markSignedIn(
  db: Queryable,
  compared: Credentials,
  newHash: string | null,
  now: number,
): Promise<(Account & { previous_login_at: string | null }) | undefined> {
  const { rows } = await db.query<Account & { previous_login_at: string | null }>(
    `WITH before AS (
       SELECT id, last_login_at FROM account_user WHERE id = $1 AND password_hash = $2 AND is_active FOR UPDATE
     )
     UPDATE account_user u SET last_login_at = $3, password_hash = COALESCE($4, u.password_hash),
       last_admin_login_at = CASE WHEN l.level >= ${ACCESS_LEVEL.admin} THEN $3 ELSE u.last_admin_login_at END
     FROM before b, access_level l WHERE u.id = b.id AND l.id = u.access_level_id
     RETURNING ${ACCOUNT_COLUMNS}, b.last_login_at AS previous_login_at`,
    [compared.id, compared.password_hash, toMoment(now), newHash],
  );
  return rows[0];
}
