import { ACCESS_LEVEL, type PrivacySettings } from "#contract/accounts/accounts.ts";
import type { Admission } from "#contract/accounts/admin-users.ts";
import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "./account.ts";

/** Of `account_user u` and its `access_level l`. */
export const ACCOUNT_COLUMNS = `u.id, u.username, u.email, u.pending_email, u.first_name, u.last_name, u.is_active, u.is_email_verified, u.admission,
  u.admin_theme, u.admin_language, u.bio, u.avatar, u.cover, u.voice_preferences, u.notification_preferences,
  u.privacy_settings, u.second_factor_due_at, u.last_admin_login_at, u.created_at, u.updated_at, l.level AS access_level, l.name AS access_level_name`;

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
    privacy?: PrivacySettings;
  },
): Promise<{ id: number }> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified, admin_language, privacy_settings)
     SELECT $1, $2, $3, id, true, $5, $6 FROM access_level WHERE level = $4 RETURNING id`,
    [
      account.username,
      account.email,
      account.passwordHash,
      account.level,
      account.language ?? null,
      account.privacy ?? {},
    ],
  );
  if (!rows[0]) throw new Error(`There is no access level ${account.level}.`);
  return rows[0];
}

/** Whether anybody may do everything: until then the start says how to become the owner. */
export async function hasSuperuser(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE l.level = $1 LIMIT 1`,
    [ACCESS_LEVEL.superuser],
  );
  return rowCount === 1;
}

/** What a password is compared with. */
export interface Credentials {
  id: number;
  password_hash: string;
}

/** The same as somebody gave them, with the count that marks of devices hold. */
export interface NamedCredentials extends Credentials {
  username: string;
  device_epoch: number;
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
    `SELECT id, username, password_hash, device_epoch FROM account_user WHERE ${isAddress ? BY_ADDRESS : BY_NAME}`,
    [isAddress ? name.toLowerCase() : name],
  );
  return rows[0];
}

type OwnWords = Pick<
  Account,
  "id" | "username" | "email" | "first_name" | "last_name" | "admin_language" | "is_email_verified"
>;

/** Whose words a new password may not be made of, and how they are written to. */
export async function findPasswordOwner(db: Queryable, userId: number): Promise<OwnWords | undefined> {
  const { rows } = await db.query<OwnWords>(
    "SELECT id, username, email, first_name, last_name, admin_language, is_email_verified FROM account_user WHERE id = $1",
    [userId],
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

/** No browser is known to the person any more. */
export async function forgetDevices(db: Queryable, userId: number): Promise<void> {
  await db.query("UPDATE account_user SET device_epoch = device_epoch + 1 WHERE id = $1", [userId]);
}

/** Marks of devices end with the password that they hold: their count begins anew. Sets one if the account is active and, where `compared` is given, its password still that one. */
export async function updatePassword(
  db: Queryable,
  userId: number,
  passwordHash: string,
  compared: string | null,
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `UPDATE account_user u SET password_hash = $2, device_epoch = 0, updated_at = now() FROM access_level l
     WHERE u.id = $1 AND l.id = u.access_level_id AND u.is_active AND u.password_hash = COALESCE($3, u.password_hash)
     RETURNING ${ACCOUNT_COLUMNS}`,
    [userId, passwordHash, compared],
  );
  return rows[0];
}

/** Keeps the same password's hash as it is made today; one that was changed meanwhile stays. */
export async function renewHash(db: Queryable, compared: Credentials, newHash: string): Promise<void> {
  await db.query("UPDATE account_user SET password_hash = $3 WHERE id = $1 AND password_hash = $2", [
    compared.id,
    compared.password_hash,
    newHash,
  ]);
}

type SignedInAccount = Account & { previous_login_at: string | null; device_epoch: number };

/**
 * Notes a log-in, if the account is active and admitted, and its password still the one that was compared: every way in passes here,
 * and opens no session where this gives none. `updated_at` stays: a log-in is no edit. Nor is it published: each notice would empty all
 * session caches.
 */
export async function markSignedIn(
  db: Queryable,
  compared: Credentials,
  now: number,
): Promise<SignedInAccount | undefined> {
  const { rows } = await db.query<SignedInAccount>(
    `WITH before AS (
       SELECT id, last_login_at FROM account_user WHERE id = $1 AND password_hash = $2 AND is_active AND admission = 'admitted' FOR UPDATE
     )
     UPDATE account_user u SET last_login_at = $3,
       last_admin_login_at = CASE WHEN l.level >= ${ACCESS_LEVEL.admin} THEN $3 ELSE u.last_admin_login_at END
     FROM before b, access_level l WHERE u.id = b.id AND l.id = u.access_level_id
     RETURNING ${ACCOUNT_COLUMNS}, u.device_epoch, b.last_login_at AS previous_login_at`,
    [compared.id, compared.password_hash, toMoment(now)],
  );
  return rows[0];
}

/**
 * For whoever got no log-in (`markSignedIn`) though their password is right.
 * @throws AppError account_waiting, account_refused.
 */
export async function requireAdmitted(db: Queryable, compared: Credentials): Promise<void> {
  const { rows } = await db.query<{ admission: Admission }>(
    "SELECT admission FROM account_user WHERE id = $1 AND password_hash = $2 AND is_active",
    [compared.id, compared.password_hash],
  );
  const admission = rows[0]?.admission ?? "admitted";
  if (admission !== "admitted") throw new AppError(`account_${admission}`);
}

/** What work that outlives its request asks of whoever began it. */
export interface Person {
  username: string;
  level: number;
  isActive: boolean;
}

/** An account as it is now; undefined: it is gone. */
export async function findPerson(db: Queryable, userId: number): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(
    `SELECT u.username, l.level, u.is_active AS "isActive"
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.id = $1`,
    [userId],
  );
  return rows[0];
}

const FAULT_BY_CONSTRAINT: Record<string, { field: string; code: string }> = {
  account_user_username: { field: "username", code: "username_taken" },
  account_user_email: { field: "email", code: "email_taken" },
};

/** PostgreSQL's refusal of a taken username or proven address, as that field's fault; anything else as it is. */
export function toTakenError(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }; // pg's errors carry these, others none
  const fault = code === "23505" ? FAULT_BY_CONSTRAINT[constraint ?? ""] : undefined;
  return fault ? new AppError("validation_failed", { fields: [fault], cause: error }) : error;
}

/** Of some names in lower case those that an account has now, by which somebody else signs in. */
export async function findUsedNames(
  db: Queryable,
  names: readonly string[],
  exceptId: number,
): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE EXISTS (SELECT FROM account_user WHERE (lower(username) = name OR lower(email) = name) AND id <> $2)`,
    [names, exceptId],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Of some pictures' keys those that no account has. */
export async function findUnusedPictures(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    `SELECT key FROM unnest($1::text[]) AS key
     WHERE NOT EXISTS (SELECT FROM account_user WHERE avatar = key OR cover = key)`,
    [keys],
  );
  return rows.map(({ key }) => key);
}

/**
 * Sessions go with the row.
 * @param passwordHash The one that was compared with; null: any.
 * @returns false where the account is gone, or has another password.
 */
export async function deleteAccount(
  db: Queryable,
  id: number,
  passwordHash: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "DELETE FROM account_user WHERE id = $1 AND password_hash = COALESCE($2, password_hash)",
    [id, passwordHash],
  );
  return rowCount === 1;
}
