import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "./account.ts";
/** Of `account_user u` and its `access_level l`. */
export const ACCOUNT_COLUMNS = `u.id, u.username, u.email, u.pending_email, u.first_name, u.last_name, u.is_active, u.is_email_verified,
  u.admin_theme, u.admin_language, u.bio, u.avatar, u.cover, u.voice_preferences, u.notification_preferences,
  u.privacy_settings, u.last_admin_login_at, u.created_at, u.updated_at, l.level AS access_level, l.name AS access_level_name`;

/** Milliseconds as a parameter. */
export function toMoment(ms: number): string {
  return new Date(ms).toISOString();
}

export async function selectNames(
  db: Queryable,
  ids: readonly number[],
): Promise<Pick<Account, "id" | "username" | "first_name" | "last_name">[]> {
  const { rows } = await db.query<Pick<Account, "id" | "username" | "first_name" | "last_name">>(
    "SELECT id, username, first_name, last_name FROM account_user WHERE id = ANY($1::integer[])",
    [ids],
  );
  return rows;
}

/** Accounts that others come to see: neither suspended people, nor those who haven't proven their address, nor guests. */
export async function selectSeenPeople(
  db: Queryable,
  ids: readonly number[],
): Promise<
  Pick<
    Account,
    "id" | "username" | "first_name" | "last_name" | "avatar" | "privacy_settings" | "access_level"
  >[]
> {
  const { rows } = await db.query<Account>(
    `SELECT u.id, u.username, u.first_name, u.last_name, u.avatar, u.privacy_settings, l.level AS access_level
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE u.id = ANY($1::integer[]) AND u.is_active AND u.is_email_verified AND l.level >= $2`,
    [ids, ACCESS_LEVEL.user],
  );
  return rows;
}

/** What a notice to a person needs; undefined: the account is gone or suspended, or its address is nobody's for certain. */
export async function selectNotified(
  db: Queryable,
  userId: number,
): Promise<
  Pick<Account, "id" | "username" | "email" | "admin_language" | "notification_preferences"> | undefined
> {
  const { rows } = await db.query<Account>(
    `SELECT id, username, email, admin_language, notification_preferences FROM account_user
     WHERE id = $1 AND is_active AND is_email_verified`,
    [userId],
  );
  return rows[0];
}

/** Number of the model `accounts.user`; null before the first start of the server gave it one. */
export async function findUserContentType(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'accounts' AND model_name = 'user'",
  );
  return rows[0]?.id ?? null;
}

/** A new active account with a proven address. A taken username or proven address is PostgreSQL's 23505. */
export async function insertAccount(
  db: Queryable,
  account: {
    username: string;
    email: string;
    passwordHash: string;
    level: number;
    language?: Language;
  },
): Promise<{ id: number }> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified, admin_language)
     SELECT $1, $2, $3, id, true, $5 FROM access_level WHERE level = $4 RETURNING id`,
    [account.username, account.email, account.passwordHash, account.level, account.language ?? null],
  );
  if (!rows[0]) throw new Error(`There is no access level ${account.level}.`);
  return rows[0];
}

/** Whether anybody may do everything: until then the start tells how to become the owner. */
export async function hasSuperuser(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE l.level = $1 LIMIT 1`,
    [ACCESS_LEVEL.superuser],
  );
  return rowCount === 1;
}
