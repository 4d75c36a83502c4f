import { ACCESS_LEVEL, NEW_ACCOUNT_PRIVACY } from "#contract/accounts/accounts.ts";
import type { Admission } from "#contract/accounts/admin-users.ts";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "../account.ts";
import { ACCOUNT_COLUMNS, toMoment } from "../store.ts";

/** An account that claims an address without having proven it goes after this. */
export const CLAIM_LIFETIME_MS = 24 * 60 * 60 * 1000;

const ACCOUNTS = "account_user u JOIN access_level l ON l.id = u.access_level_id";
/** Registered by a person, not made by an admin, and nothing more than that: who has been given a level is no mere claim. */
const IS_CLAIM = `NOT u.is_email_verified AND u.registration_ticket_hash IS NOT NULL
  AND u.access_level_id IN (SELECT id FROM access_level WHERE level = ${ACCESS_LEVEL.guest})`;

/** The account that has proven the address; `email` is in lower case, here and below. */
export async function findOwner(db: Queryable, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNTS} WHERE lower(u.email) = $1 AND u.is_email_verified`,
    [email],
  );
  return rows[0];
}

/**
 * Who may choose a new password by mail to the address: whom it belongs to, or, while nobody has proven it, the first account that
 * the console made for it: a later one takes nothing away from it. A registration's password is its own: whoever made that claim knows it, or proves the address first.
 */
export async function findResettable(db: Queryable, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNTS}
     WHERE lower(u.email) = $1 AND (u.is_email_verified OR u.registration_ticket_hash IS NULL)
     ORDER BY u.is_email_verified DESC, u.created_at, u.id LIMIT 1`,
    [email],
  );
  return rows[0];
}

/** Whether an account was made for the address that nobody has proven yet: an invitation, or a claim that the console has raised. */
export async function hasInvitation(db: Queryable, email: string, exceptId: number | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM account_user u
     WHERE lower(u.email) = $1 AND NOT u.is_email_verified AND NOT (${IS_CLAIM}) AND u.id IS DISTINCT FROM $2 LIMIT 1`,
    [email, exceptId],
  );
  return rowCount === 1;
}

/** Who is to prove the address when it is asked for a code: who asks, else whom the last code named, else the newest. */
export async function findClaimant(
  db: Queryable,
  email: string,
  named: { ticketHash: string; userId: number | null },
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNTS}
     WHERE lower(u.email) = $1 AND NOT u.is_email_verified AND u.is_active
     ORDER BY (u.registration_ticket_hash = $3) DESC NULLS LAST, (u.id = $2) DESC NULLS LAST, u.created_at DESC, u.id DESC
     LIMIT 1`,
    [email, named.userId, named.ticketHash],
  );
  return rows[0];
}

type ProvableClaim = Account & { password_hash: string; device_epoch: number; is_ticket_holder: boolean };

/** The account that a ticket registered with this address, else the one that the code named; neither may be proven yet. */
export async function findClaimToProve(
  db: Queryable,
  email: string,
  named: { ticketHash: string | null; userId: number | null },
): Promise<ProvableClaim | undefined> {
  const { rows } = await db.query<ProvableClaim>(
    `SELECT ${ACCOUNT_COLUMNS}, u.password_hash, u.device_epoch,
            u.registration_ticket_hash IS NOT DISTINCT FROM $3 AND $3::text IS NOT NULL AS is_ticket_holder
     FROM ${ACCOUNTS}
     WHERE lower(u.email) = $1 AND NOT u.is_email_verified AND (u.id = $2 OR u.registration_ticket_hash = $3)
     ORDER BY is_ticket_holder DESC LIMIT 1`,
    [email, named.userId, named.ticketHash],
  );
  return rows[0];
}

export interface Claim {
  username: string;
  email: string;
  passwordHash: string;
  ticketHash: string;
  language: Language;
  /** Milliseconds. */
  now: number;
}

/** A new account without a proven address. A taken username is PostgreSQL's 23505. */
export async function insertClaim(db: Queryable, claim: Claim): Promise<{ id: number }> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, registration_ticket_hash, admin_language,
       created_at, updated_at, privacy_settings)
     SELECT $1, $2, $3, id, $4, $5, $6, $6, $7 FROM access_level WHERE level = ${ACCESS_LEVEL.guest} RETURNING id`,
    [
      claim.username,
      claim.email,
      claim.passwordHash,
      claim.ticketHash,
      claim.language,
      toMoment(claim.now),
      NEW_ACCOUNT_PRIVACY,
    ],
  );
  if (!rows[0]) throw new Error(`There is no access level ${ACCESS_LEVEL.guest}.`);
  return rows[0];
}

/** Registers anew in the place of what a ticket registered before; undefined where there is nothing such. */
export async function replaceClaim(
  db: Queryable,
  heldTicketHash: string,
  claim: Claim,
): Promise<{ id: number } | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE account_user u SET username = $2, email = $3, password_hash = $4, registration_ticket_hash = $5,
       admin_language = $6, created_at = $7, updated_at = $7
     WHERE u.registration_ticket_hash = $1 AND ${IS_CLAIM} RETURNING u.id`,
    [
      heldTicketHash,
      claim.username,
      claim.email,
      claim.passwordHash,
      claim.ticketHash,
      claim.language,
      toMoment(claim.now),
    ],
  );
  return rows[0];
}

/** An account that is gone, by what names it. */
export type DeletedClaim = Pick<Account, "id" | "username" | "email" | "is_email_verified">;
const NAMES = "u.id, u.username, u.email, u.is_email_verified";

/** Deletes what was registered before a moment, everywhere or where it holds a username. */
export async function deleteOldClaims(
  db: Queryable,
  before: number,
  username?: string,
): Promise<DeletedClaim[]> {
  const { rows } = await db.query<DeletedClaim>(
    `DELETE FROM account_user u WHERE ${IS_CLAIM} AND u.created_at <= $1
       AND ($2::text IS NULL OR lower(u.username) = lower($2)) RETURNING ${NAMES}`,
    [toMoment(before), username ?? null],
  );
  return rows;
}

/** Deletes all claims of an address that somebody else has proven now. */
export async function deleteOtherClaims(
  db: Queryable,
  email: string,
  ownerId: number,
): Promise<DeletedClaim[]> {
  const { rows } = await db.query<DeletedClaim>(
    `DELETE FROM account_user u WHERE ${IS_CLAIM} AND lower(u.email) = $1 AND u.id <> $2 RETURNING ${NAMES}`,
    [email, ownerId],
  );
  return rows;
}

/** Who proves an address. `is_registration`: somebody registered it, and the console has not made it its own. */
export async function findEntrant(
  db: Queryable,
  userId: number,
): Promise<{ admission: Admission; is_registration: boolean }> {
  const { rows } = await db.query<{ admission: Admission; is_registration: boolean }>(
    "SELECT admission, registration_ticket_hash IS NOT NULL AS is_registration FROM account_user WHERE id = $1",
    [userId],
  );
  if (!rows[0]) throw new Error(`The account ${userId} is gone while its address is locked.`);
  return rows[0];
}

/** What a proof makes of an account: the level of one that has none yet, and whether it waits from now on. */
export interface Entry {
  level: number;
  isWaiting: boolean;
}

/** The address is the account's: a guest who proves one for the first time gets the entry's level, and the ticket is worth nothing any more. */
export async function markProven(
  db: Queryable,
  userId: number,
  email: string,
  { level, isWaiting }: Entry,
): Promise<Account> {
  const { rows } = await db.query<Account>(
    `UPDATE account_user u SET is_email_verified = true, email = $2, pending_email = NULL,
       registration_ticket_hash = NULL, updated_at = now(), access_level_id = l.id,
       admission = CASE WHEN $4::boolean THEN 'waiting' ELSE u.admission END
     FROM access_level was, access_level l
     WHERE u.id = $1 AND was.id = u.access_level_id
       AND l.level = CASE WHEN was.level = ${ACCESS_LEVEL.guest} AND NOT u.is_email_verified THEN $3 ELSE was.level END
     RETURNING ${ACCOUNT_COLUMNS}`,
    [userId, email, level, isWaiting],
  );
  if (!rows[0]) throw new Error(`The account ${userId} is gone while its address is locked.`);
  return rows[0];
}

/**
 * Takes the right to write to staff about people who wait: where they weren't written to within `pauseMs` of `now`, and somebody
 * waits of whom they don't know. Of many who ask at once one gets it, also where another one's `now` is the later one; a clock
 * that went back by more than the pause holds nothing up. Milliseconds.
 * @returns how many wait.
 */
export async function takeAnnouncement(
  db: Queryable,
  now: number,
  pauseMs: number,
): Promise<number | undefined> {
  const taken = await db.query(
    `UPDATE account_registration SET notified_at = $1
     WHERE (notified_at IS NULL OR notified_at <= $2 OR notified_at >= $3)
       AND EXISTS (SELECT FROM account_user WHERE admission = 'waiting' AND NOT is_announced)`,
    [toMoment(now), toMoment(now - pauseMs), toMoment(now + pauseMs)],
  );
  if (taken.rowCount === 0) return undefined;
  // Whom somebody is deciding about at this moment is left out: nobody waits for anybody here.
  await db.query(
    `UPDATE account_user SET is_announced = true WHERE id IN (
       SELECT id FROM account_user WHERE admission = 'waiting' AND NOT is_announced FOR UPDATE SKIP LOCKED)`,
  );
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM account_user WHERE admission = 'waiting'",
  );
  return rows[0]?.count;
}

/** The address that the account wants to move to; null: none. */
export async function setPendingEmail(db: Queryable, userId: number, email: string | null): Promise<void> {
  await db.query("UPDATE account_user SET pending_email = $2 WHERE id = $1", [userId, email]);
}
