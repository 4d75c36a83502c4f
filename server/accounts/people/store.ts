import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import type { VoiceUser } from "#contract/voice/people.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "../account.ts";
import { toMoment } from "../store.ts";

/** A person as others may come to see them; `toVoiceUser` leaves out what they hide. */
export type VoiceAccount = Pick<
  Account,
  "id" | "username" | "first_name" | "last_name" | "avatar" | "bio" | "privacy_settings" | "access_level"
> & {
  voice_status: VoiceUser["status"];
  /** A session of theirs was used a short time ago. */
  is_present: boolean;
};

/** What counts as living and as used a short time ago, in milliseconds since 1970. */
export interface Moment {
  now: number;
  presentSince: number;
}

const IS_PRESENT = `EXISTS (SELECT FROM account_session s
  WHERE s.user_id = u.id AND s.ended_at IS NULL AND s.expires_at > $1 AND s.last_used_at >= $2)`;
const COLUMNS = `u.id, u.username, u.first_name, u.last_name, u.avatar, u.bio, u.privacy_settings, u.voice_status,
  l.level AS access_level`;
/** Suspended people and those who haven't proven their address are nobody to others. */
const PEOPLE = `account_user u JOIN access_level l ON l.id = u.access_level_id
  WHERE u.is_active AND u.is_email_verified AND l.level >= ${ACCESS_LEVEL.user}`;
const IS_SEARCHABLE = "coalesce((u.privacy_settings ->> 'is_searchable')::boolean, true)";
const SHOWS_PROFILE = "coalesce((u.privacy_settings ->> 'show_profile')::boolean, true)";
/** `toShownName`; empty where that is a number. */
const SHOWN_NAME = `coalesce(CASE WHEN ${SHOWS_PROFILE} THEN nullif(btrim(u.first_name || ' ' || u.last_name), '') END,
  u.privacy_settings ->> 'shown_name', '')`;
const SHOWS_ONLINE = "coalesce((u.privacy_settings ->> 'show_online')::boolean, true)";
/** `%`, `_` and `\` of a folded text stand for themselves. */
const PATTERN = String.raw`'%' || regexp_replace(foyer_fold($3), '([\\%_])', '\\\1', 'g') || '%'`;

const toParameters = ({ now, presentSince }: Moment) => [toMoment(now), toMoment(presentSince)];

export async function findVoiceAccount(
  db: Queryable,
  moment: Moment,
  by: { id: number } | { username: string },
): Promise<VoiceAccount | undefined> {
  const [condition, value] =
    "id" in by ? ["u.id = $3", by.id] : ["lower(u.username) = lower($3)", by.username];
  const { rows } = await db.query<VoiceAccount>(
    `SELECT ${COLUMNS}, ${IS_PRESENT} AS is_present FROM ${PEOPLE} AND ${condition}`,
    [...toParameters(moment), value],
  );
  return rows[0];
}

/**
 * Found by the name that others see, or by the whole username, which who asks must know: nobody finds or guesses a log-in name or an
 * address by its parts. The first condition is what the index can do, which knows no shown name.
 */
export async function searchVoiceAccounts(
  db: Queryable,
  moment: Moment,
  search: { text: string; exceptId: number; limit: number },
): Promise<VoiceAccount[]> {
  const { rows } = await db.query<VoiceAccount>(
    `SELECT ${COLUMNS}, ${IS_PRESENT} AS is_present FROM ${PEOPLE}
       AND u.id <> $4 AND ${IS_SEARCHABLE} AND foyer_fold($3) <> ''
       AND (u.search LIKE ${PATTERN} OR u.privacy_settings ->> 'shown_name' <> '')
       AND (lower(u.username) = lower($3) OR foyer_fold(${SHOWN_NAME}) LIKE ${PATTERN})
     ORDER BY lower(u.username) = lower($3) DESC, foyer_fold(${SHOWN_NAME}), u.id LIMIT $5`,
    [...toParameters(moment), search.text, search.exceptId, search.limit],
  );
  return rows;
}

export async function listOnline(db: Queryable, moment: Moment, limit: number): Promise<VoiceAccount[]> {
  const { rows } = await db.query<VoiceAccount>(
    `SELECT ${COLUMNS}, true AS is_present FROM ${PEOPLE}
       AND u.voice_status <> 'offline' AND ${SHOWS_ONLINE} AND ${IS_PRESENT}
     ORDER BY foyer_fold(${SHOWN_NAME}), u.id LIMIT $3`,
    [...toParameters(moment), limit],
  );
  return rows;
}

/**
 * False: there is no such account any more. Not published to live lists: each notice of an account empties all session caches.
 */
export async function setVoiceStatus(
  db: Queryable,
  userId: number,
  status: VoiceUser["status"],
): Promise<boolean> {
  const { rowCount } = await db.query("UPDATE account_user SET voice_status = $2 WHERE id = $1", [
    userId,
    status,
  ]);
  return rowCount === 1;
}

/** Active accounts that may open the console. */
const STAFF = `FROM account_user u JOIN access_level l ON l.id = u.access_level_id
  WHERE u.is_active AND l.level >= ${ACCESS_LEVEL.admin}`;

/** Whether somebody of the staff has the address, which is in lower case. */
export async function hasStaffAddress(db: Queryable, address: string): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT ${STAFF} AND lower(u.email) = $1 LIMIT 1`, [address]);
  return rowCount === 1;
}

export async function isStaff(db: Queryable, userId: number): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT ${STAFF} AND u.id = $1`, [userId]);
  return rowCount === 1;
}

/** Of addresses in lower case those that belong to other people of a level, or above it. */
export async function selectAddressesFrom(
  db: Queryable,
  addresses: readonly string[],
  { userId, level }: { userId: number; level: number },
): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `SELECT DISTINCT lower(u.email) AS email FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE lower(u.email) = ANY($1::text[]) AND l.level >= $3 AND u.id <> $2`,
    [addresses, userId, level],
  );
  return rows.map(({ email }) => email);
}

/** Those who have proven their address, the highest level first. */
export async function listProvenStaff(
  db: Queryable,
  level: number,
): Promise<{ id: number; email: string; admin_language: Language | null }[]> {
  const { rows } = await db.query<{ id: number; email: string; admin_language: Language | null }>(
    `SELECT u.id, u.email, u.admin_language ${STAFF} AND u.is_email_verified AND l.level >= $1
     ORDER BY l.level DESC, u.created_at, u.id`,
    [level],
  );
  return rows;
}
