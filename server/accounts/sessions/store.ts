import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toStorableText } from "#server/db/sql.ts";
import type { Account, Client } from "../account.ts";
import { ACCOUNT_COLUMNS, toMoment } from "../store.ts";

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How long sessions last. */
export interface SessionRules {
  /** From the log-in on, however often it is renewed. */
  lifetimeMs: number;
  /** Without being renewed, of people who may open the console. */
  consoleIdleMs: number;
}

/** In the owner's numbers, or the product's. */
export function toSessionRules(settings: SessionSettings): SessionRules {
  const { sessionDays = 30, consoleIdleHours = 12, accessTokenMinutes = 0 } = settings;
  // Who works on with one access token renews nothing meanwhile.
  const idleMs = Math.max(consoleIdleHours * HOUR_MS, accessTokenMinutes * MINUTE_MS);
  return { lifetimeMs: sessionDays * DAY_MS, consoleIdleMs: idleMs };
}

export interface SessionSettings {
  accessTokenMinutes?: number | undefined;
  sessionDays?: number | undefined;
  consoleIdleHours?: number | undefined;
}

/** Why a session is over by itself: for its time since the log-in, or because nobody used it. */
export type SessionAge = "aged" | "unused";

/** When a session is over by itself, and why. Milliseconds. */
export function toSessionEnd(
  session: Pick<SessionState, "expires_at" | "opened_at" | "last_used_at"> & { access_level: number },
  { lifetimeMs, consoleIdleMs }: SessionRules,
): { at: number; why: SessionAge } {
  const aged = Math.min(Date.parse(session.expires_at), Date.parse(session.opened_at) + lifetimeMs);
  const unused = hasAdminAccess(session.access_level)
    ? Date.parse(session.last_used_at) + consoleIdleMs
    : Number.POSITIVE_INFINITY;
  return unused < aged ? { at: unused, why: "unused" } : { at: aged, why: "aged" };
}

/** What a refresh reads of a session. Moments are ISO text. */
export interface SessionState {
  token_hash: string;
  previous_token_hash: string | null;
  rotated_at: string | null;
  /** Of the log-in. */
  opened_at: string;
  last_used_at: string;
  expires_at: string;
  ended_at: string | null;
  is_active: boolean;
  /** When the person last showed that it is them: at the log-in, or since. */
  confirmed_at: string;
}

export type EndReason = "signed_out" | "token_reuse" | "suspended" | "password_changed" | "revoked";

/** A session with the account it belongs to. */
export type SessionWithAccount = Account & SessionState;

/** What open sockets need of a session. */
export type LivingSession = Pick<Account, "id" | "username" | "access_level" | "second_factor_due_at"> &
  Pick<SessionState, "confirmed_at"> & { session_id: string };

const SESSION_COLUMNS =
  "s.token_hash, s.previous_token_hash, s.rotated_at, s.created_at AS opened_at, s.last_used_at, s.expires_at, s.ended_at, s.confirmed_at, u.is_active";
export const SESSIONS = `account_session s JOIN account_user u ON u.id = s.user_id JOIN access_level l ON l.id = u.access_level_id`;

export async function insertSession(
  db: Queryable,
  session: {
    id: string;
    userId: number;
    tokenHash: string;
    now: number;
    expiresAt: number;
    client: StoredClient;
    /** The log-in showed a second factor. */
    hasShownFactor: boolean;
  },
): Promise<void> {
  await db.query(
    `INSERT INTO account_session (id, user_id, token_hash, created_at, last_used_at, confirmed_at, expires_at, ip_address, user_agent, factor_shown_at)
     VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7, CASE WHEN $8::boolean THEN $4::timestamptz END)`,
    [
      session.id,
      session.userId,
      session.tokenHash,
      toMoment(session.now),
      toMoment(session.expiresAt),
      session.client.ipAddress,
      session.client.userAgent,
      session.hasShownFactor,
    ],
  );
}

export async function findSession(db: Queryable, id: string): Promise<SessionWithAccount | undefined> {
  const { rows } = await db.query<SessionWithAccount>(
    `SELECT ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS} FROM ${SESSIONS} WHERE s.id = $1`,
    [id],
  );
  return rows[0];
}

/**
 * The same, and nobody else changes the session or its account before the transaction ends. The account first: whoever changes an account
 * and ends its sessions takes them in that order too.
 */
export async function lockSession(db: Queryable, id: string): Promise<SessionWithAccount | undefined> {
  await db.query(
    "SELECT FROM account_user WHERE id = (SELECT user_id FROM account_session WHERE id = $1) FOR NO KEY UPDATE",
    [id],
  );
  const { rows } = await db.query<SessionWithAccount>(
    `SELECT ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS} FROM ${SESSIONS} WHERE s.id = $1 FOR UPDATE OF s`,
    [id],
  );
  return rows[0];
}

/** Of `account_session s` with its account and level: it is not over. Its parameters are those of `toLivingTimes`, from $2 on. */
export const LIVING = `s.ended_at IS NULL AND s.expires_at > $2 AND s.created_at > $3 AND u.is_active
       AND (l.level < ${ACCESS_LEVEL.admin} OR s.last_used_at > $4)`;

export function toLivingTimes(now: number, { lifetimeMs, consoleIdleMs }: SessionRules): string[] {
  return [toMoment(now), toMoment(now - lifetimeMs), toMoment(now - consoleIdleMs)];
}

/** How many sessions a person has that aren't over. */
export async function countLivingSessions(
  db: Queryable,
  userId: number,
  now: number,
  rules: SessionRules,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${SESSIONS} WHERE s.user_id = $1 AND ${LIVING}`,
    [userId, ...toLivingTimes(now, rules)],
  );
  return rows[0]?.count ?? 0;
}

/** Whose living sessions these are; what ended, expired, or belongs to a suspended account is missing. */
export async function findLivingSessions(
  db: Queryable,
  ids: readonly string[],
  now: number,
  rules: SessionRules,
): Promise<LivingSession[]> {
  const { rows } = await db.query<LivingSession>(
    `SELECT s.id AS session_id, u.id, u.username, l.level AS access_level, u.second_factor_due_at, s.confirmed_at FROM ${SESSIONS}
     WHERE s.id = ANY($1::uuid[]) AND ${LIVING}`,
    [ids, ...toLivingTimes(now, rules)],
  );
  return rows;
}

/** Its end stays where the log-in set it. From here on the session shows where it was renewed: a stolen token's new place is no secret to its person. */
export async function rotateSession(
  db: Queryable,
  id: string,
  next: { tokenHash: string; now: number; client: StoredClient },
): Promise<void> {
  await db.query(
    `UPDATE account_session SET previous_token_hash = token_hash, token_hash = $2,
       rotated_at = $3, last_used_at = $3,
       ip_address = COALESCE($4, ip_address), user_agent = COALESCE($5, user_agent) WHERE id = $1`,
    [id, next.tokenHash, toMoment(next.now), next.client.ipAddress, next.client.userAgent],
  );
}

export async function endSession(db: Queryable, id: string, reason: EndReason, now: number): Promise<void> {
  await db.query(
    "UPDATE account_session SET ended_at = $3, end_reason = $2 WHERE id = $1 AND ended_at IS NULL",
    [id, reason, toMoment(now)],
  );
}

/** Undefined: the session is gone. */
export async function findConfirmedAt(db: Queryable, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ confirmed_at: string }>(
    "SELECT confirmed_at FROM account_session WHERE id = $1 AND ended_at IS NULL",
    [id],
  );
  return rows[0] && Date.parse(rows[0].confirmed_at);
}

/** When the person last showed a second factor in this session. Undefined: never, or it is over. */
export async function findFactorShownAt(db: Queryable, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ at: string | null }>(
    "SELECT factor_shown_at AS at FROM account_session WHERE id = $1 AND ended_at IS NULL",
    [id],
  );
  return rows[0]?.at ? Date.parse(rows[0].at) : undefined;
}

/** The person has shown that it is them, by a second factor or not. Undefined: the session is over. */
export async function noteConfirmation(
  db: Queryable,
  id: string,
  now: number,
  byFactor: boolean,
): Promise<SessionWithAccount | undefined> {
  const { rowCount } = await db.query(
    `UPDATE account_session SET confirmed_at = $2, factor_shown_at = CASE WHEN $3 THEN $2 ELSE factor_shown_at END
     WHERE id = $1 AND ended_at IS NULL`,
    [id, toMoment(now), byFactor],
  );
  return rowCount === 1 ? findSession(db, id) : undefined;
}

/**
 * From when on a person needs a second factor (milliseconds; null: they need none). Who has one owes none. `updated_at` stays, as at a
 * log-in. @returns what stands there then.
 */
export async function setFactorDue(
  db: Queryable,
  userId: number,
  dueAt: number | null,
): Promise<string | null> {
  const { rows } = await db.query<{ second_factor_due_at: string | null }>(
    `UPDATE account_user u SET second_factor_due_at = $2
     WHERE id = $1 AND ($2::timestamptz IS NULL
       OR NOT EXISTS (SELECT FROM account_passkey p WHERE p.user_id = u.id)
       AND NOT EXISTS (SELECT FROM account_app_factor a WHERE a.user_id = u.id AND a.confirmed_at IS NOT NULL))
     RETURNING second_factor_due_at`,
    [userId, dueAt === null ? null : toMoment(dueAt)],
  );
  return rows[0]?.second_factor_due_at ?? null;
}

/** Ends every living session of a person, one perhaps excepted; says how many. */
export async function endSessions(
  db: Queryable,
  userId: number,
  reason: EndReason,
  now: number,
  exceptId?: string,
): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE account_session SET ended_at = $3, end_reason = $2
     WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $4`,
    [userId, reason, toMoment(now), exceptId ?? null],
  );
  return rowCount ?? 0;
}

const USER_AGENT_CHARS = 300;

/** What a session keeps of where it was opened or renewed. */
type StoredClient = Pick<Client, "ipAddress" | "userAgent">;

export function toStoredClient({ ipAddress, userAgent }: Client): StoredClient {
  return { ipAddress, userAgent: userAgent === null ? null : toStorableText(userAgent, USER_AGENT_CHARS) };
}

/** Sessions that were over at `before` (milliseconds). */
export async function deleteOldSessions(db: Queryable, before: number): Promise<void> {
  await db.query("DELETE FROM account_session WHERE LEAST(ended_at, expires_at) <= $1", [toMoment(before)]);
}

/** A session as its person may know it: nothing of its token. */
export interface ExportedSession {
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ended_at: string | null;
  end_reason: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

/** For their export, the newest first. */
export async function listSessionsOf(db: Queryable, userId: number): Promise<ExportedSession[]> {
  const { rows } = await db.query<ExportedSession>(
    `SELECT created_at, last_used_at, expires_at, ended_at, end_reason, ip_address, user_agent
     FROM account_session WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
  return rows;
}
