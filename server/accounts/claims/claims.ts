import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { RegistrationMode } from "#contract/site/site.ts";
import { isStorable } from "#contract/values.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type ForgottenAccount, forgetAccount } from "../forget-in-log.ts";
import { toMoment } from "../store.ts";
import { deleteOldClaims, deleteOtherClaims } from "./store.ts";

/** One after the other: they share a connection. */
async function forgetAll(db: Queryable, accounts: readonly ForgottenAccount[]): Promise<number> {
  for (const account of accounts) await forgetAccount(db, account);
  const ids = accounts.map(({ id }) => id);
  if (ids.length > 0) await notifyChange(db, "accounts.user", toRowChange("deleted", ids));
  return accounts.length;
}

/**
 * Takes away what was registered before a moment (in milliseconds), everywhere or where it holds a username, and who it was out
 * of the log, and publishes it; says how many.
 */
export async function removeOldClaims(db: Queryable, before: number, username?: string): Promise<number> {
  return forgetAll(db, await deleteOldClaims(db, before, username));
}

/** The same for all claims of an address, in lower case, that somebody else has proven now. */
export async function removeOtherClaims(db: Queryable, email: string, ownerId: number): Promise<void> {
  await forgetAll(db, await deleteOtherClaims(db, email, ownerId));
}

/** Who may register now. */
export async function selectMode(db: Queryable): Promise<RegistrationMode> {
  const { rows } = await db.query<{ mode: RegistrationMode }>("SELECT mode FROM account_registration");
  return rows[0]?.mode ?? "open";
}

/** @throws AppError registration_closed, invitation_required: the same for whatever was typed. */
export async function requireAdmission(db: Queryable, invitation: string | undefined): Promise<void> {
  const mode = await selectMode(db);
  if (mode === "closed") throw new AppError("registration_closed");
  if (mode === "invitation" && invitation === undefined) throw new AppError("invitation_required");
}

/** Whoever made it may still give its level, of which somebody may be made. */
const IS_VOUCHED = `EXISTS (
  SELECT FROM account_user maker JOIN access_level own ON own.id = maker.access_level_id
  WHERE maker.id = i.created_by_id AND maker.is_active AND own.level >= l.level AND own.level >= ${ACCESS_LEVEL.admin})`;
const INVITATIONS = "account_invitation i JOIN access_level l ON l.id = i.access_level_id";
const IS_GOOD = `NOT i.is_revoked AND i.expires_at > $2 AND l.is_active AND ${IS_VOUCHED}`;
/** Registrations that wait for their proof hold a use, but for the one of account `$3`, which takes the place of its own. */
const HAS_ROOM = `i.uses_max > i.used_count + (
  SELECT count(*) FROM account_invitation_use x JOIN account_user u ON u.id = x.user_id
  WHERE x.invitation_id = i.id AND NOT u.is_email_verified AND u.id IS DISTINCT FROM $3::integer)`;

/** For the page behind the link: what no invitation can be called isn't good either. `now` in milliseconds, here and below. */
export async function isInvitationGood(db: Queryable, token: string, now: number): Promise<boolean> {
  if (!isStorable(token)) return false;
  const { rowCount } = await db.query(
    `SELECT FROM ${INVITATIONS} WHERE i.token = $1 AND ${IS_GOOD} AND ${HAS_ROOM}`,
    [token, toMoment(now), null],
  );
  return rowCount === 1 && (await selectMode(db)) !== "closed";
}

/**
 * Finds an invitation, locked so that of two who register at once with its last use one does. Undefined: none was given.
 * @throws AppError invitation_invalid
 */
export async function takeInvitation(
  db: Queryable,
  token: string | undefined,
  userId: number,
  now: number,
): Promise<number | undefined> {
  if (token === undefined) return undefined;
  if (!isStorable(token)) throw new AppError("invitation_invalid");
  const locked = await db.query("SELECT FROM account_invitation WHERE token = $1 FOR UPDATE", [token]);
  const { rows } = await db.query<{ id: number }>(
    `SELECT i.id FROM ${INVITATIONS} WHERE i.token = $1 AND ${IS_GOOD} AND ${HAS_ROOM}`,
    [token, toMoment(now), userId],
  );
  if (locked.rowCount === 0 || !rows[0]) throw new AppError("invitation_invalid");
  return rows[0].id;
}

/** With which invitation an account was registered; undefined: with none, whatever its registration before this one had. */
export async function noteInvitation(
  db: Queryable,
  userId: number,
  invitationId: number | undefined,
): Promise<void> {
  await db.query("DELETE FROM account_invitation_use WHERE user_id = $1", [userId]);
  if (invitationId === undefined) return;
  await db.query("INSERT INTO account_invitation_use (user_id, invitation_id) VALUES ($1, $2)", [
    userId,
    invitationId,
  ]);
}

/**
 * The address of somebody who registered is proven: their invitation counts as used. @returns the level that it gives them;
 * undefined: they came without one, or it was withdrawn meanwhile.
 */
export async function settleInvitation(db: Queryable, userId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ level: number; is_good: boolean }>(
    `UPDATE account_invitation i SET used_count = i.used_count + 1
     FROM account_invitation_use x, access_level l, account_user u
     WHERE x.user_id = $1 AND i.id = x.invitation_id AND l.id = i.access_level_id
       AND u.id = x.user_id AND NOT u.is_email_verified
     RETURNING l.level, NOT i.is_revoked AND l.is_active AND ${IS_VOUCHED} AS is_good`,
    [userId],
  );
  return rows[0]?.is_good ? rows[0].level : undefined;
}
