import { createHash } from "node:crypto";
import type pg from "pg";
import { findRegistrationFaults, trimRegistration } from "#contract/accounts/account-rules.ts";
import { ACCESS_LEVEL, hasAdminAccess, NEW_ACCOUNT_PRIVACY } from "#contract/accounts/accounts.ts";
import type { SetupRequest } from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import { raiseAlert, recordAudit, toChanges } from "#server/audit/service.ts";
import { type Actor, SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "./account.ts";
import { logRefusal } from "./answers.ts";
import { removeOldClaims, removeOtherClaims } from "./claims/claims.ts";
import { CLAIM_LIFETIME_MS } from "./claims/store.ts";
import { lockAddress } from "./codes/store.ts";
import type { AccountDeps } from "./deps.ts";
import type { Passwords } from "./passwords/hashing.ts";
import type { PasswordRules } from "./passwords/password-rules.ts";
import {
  type OpenedSession,
  openSession,
  type SignedInAnswer,
  toLoginAnswer,
} from "./sessions/open-session.ts";
import { findUserContentType, hasSuperuser, insertAccount, markSignedIn, toTakenError } from "./store.ts";

/** Whether somebody may open the console now, and with this level couldn't before. `before`: undefined where there was no account. */
export function isNewStaff(
  before: { access_level: number; is_active: boolean } | undefined,
  after: { access_level: number; is_active: boolean },
): boolean {
  if (!after.is_active || !hasAdminAccess(after.access_level)) return false;
  return !before?.is_active || before.access_level < after.access_level;
}

/** The owners hear of it. `level`: its number. */
export async function alertOfStaff(
  db: Queryable,
  { userId, level, count }: { userId: number | null; level: number; count?: number },
  { userId: byId, ipAddress }: Pick<Actor, "userId" | "ipAddress">,
): Promise<void> {
  const about = { en: String(level), tr: String(level) };
  await raiseAlert(db, { kind: "new_staff", userId, byId, ipAddress, about, ...(count && { count }) });
}

/** An account that may do everything, its address taken as proven: whoever can call this owns the machine. `now` in milliseconds. */
async function insertSuperuser(
  db: Queryable,
  owner: { username: string; email: string; passwordHash: string; language?: Language },
  by: { actor: Actor; detail: "create_superuser" | "setup"; now: number },
): Promise<{ id: number }> {
  const { username, email } = owner;
  const { actor, detail, now } = by;
  const level = ACCESS_LEVEL.superuser;
  await lockAddress(db, email.toLowerCase());
  await removeOldClaims(db, now - CLAIM_LIFETIME_MS, username);
  // The first one is nobody's news.
  const isFirst = !(await hasSuperuser(db));
  const { id } = await insertAccount(db, { ...owner, level, privacy: NEW_ACCOUNT_PRIVACY });
  await removeOtherClaims(db, email.toLowerCase(), id);
  await recordAudit(db, actor, {
    action: "CREATE",
    detail,
    contentTypeId: await findUserContentType(db),
    objectId: id,
    objectRepr: username,
    changes: toChanges(
      {},
      { username, email, access_level: level, is_active: true, is_email_verified: true },
    ),
  });
  await notifyChange(db, "accounts.user", toRowChange("created", [id]));
  await deleteSetupLinks(db);
  if (!isFirst) await alertOfStaff(db, { userId: id, level }, actor);
  return { id };
}

/**
 * Creates a superuser for the command line.
 * @throws AppError validation_failed with the fields at fault.
 */
export async function createSuperuser(
  {
    pool,
    passwords,
    passwordRules,
  }: { pool: pg.Pool; passwords: Pick<Passwords, "hash">; passwordRules: PasswordRules },
  input: { username: string; email: string; password: string },
  now: number = Date.now(),
): Promise<{ id: number; username: string }> {
  const values = trimRegistration({ ...input, password_confirm: input.password });
  const { username, email, password } = values;
  // Its repetition is the command line's to ask for.
  const fields = findRegistrationFaults(values).filter(({ field }) => field !== "password_confirm");
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
  await passwordRules.requireGood(pool, password, { username, email }, "password");
  const passwordHash = await passwords.hash(password);
  return withTransaction(pool, async (db) => {
    const by = { actor: SYSTEM_ACTOR, detail: "create_superuser", now } as const;
    const { id } = await insertSuperuser(db, { username, email, passwordHash }, by);
    return { id, username };
  }).catch((error: unknown) => {
    throw toTakenError(error);
  });
}

/** Any number, the same in every version: one owner is made at a time. */
const SETUP_LOCK = 4_701_922;

/** Whether nobody owns the site yet. */
export async function isSetupOpen(deps: AccountDeps): Promise<boolean> {
  return !(await hasSuperuser(deps.pool));
}

/** What the database has of a link's token, which is long and random: a plain hash suffices. */
export function hashSetupToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Ends every link. */
async function deleteSetupLinks(db: Queryable): Promise<void> {
  await db.query("DELETE FROM setup_link");
}

/** @throws AppError setup_link_invalid where the link is no process's, spent, or over */
async function requireSetupLink({ clock }: AccountDeps, db: Queryable, token: string): Promise<void> {
  const { rowCount } = await db.query("SELECT FROM setup_link WHERE token_hash = $1 AND expires_at > $2", [
    hashSetupToken(token),
    new Date(clock()).toISOString(),
  ]);
  if (rowCount !== 1) throw new AppError("setup_link_invalid");
}

/** Of two that come at once, wherever, the second finds the owner that the first made. */
async function makeOwner(
  deps: AccountDeps,
  request: SetupRequest,
  client: Client,
  lang: Language,
): Promise<OpenedSession> {
  await deps.passwordRules.requireGood(deps.pool, request.password, request, "password");
  const passwordHash = await deps.passwords.hash(request.password);
  const { username, email } = request;
  return withTransaction(deps.pool, async (db) => {
    await db.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
    if (await hasSuperuser(db)) throw new AppError("setup_closed");
    await requireSetupLink(deps, db, request.token);
    const actor = { ...SYSTEM_ACTOR, ipAddress: client.ipAddress, requestId: client.requestId };
    const owner = { username, email, passwordHash, language: lang };
    const now = deps.clock();
    const { id } = await insertSuperuser(db, owner, { actor, detail: "setup", now });
    const account = await markSignedIn(db, { id, password_hash: passwordHash }, now);
    if (!account) throw new Error("The owner's account that was just made can't sign in.");
    const device = deps.knownDevices.issue({ id, password_hash: passwordHash, device_epoch: 0 });
    return openSession(deps, db, { account, device }, client, "setup");
  });
}

/**
 * Makes the owner's account, with the link that a start printed, and signs in. All such links die with use.
 * @throws AppError setup_closed, setup_link_invalid, validation_failed.
 */
export async function setUp(
  deps: AccountDeps,
  request: SetupRequest,
  client: Client,
  lang: Language,
): Promise<SignedInAnswer> {
  if (!(await isSetupOpen(deps))) throw new AppError("setup_closed");
  await logRefusal(deps, client, () => requireSetupLink(deps, deps.pool, request.token));
  const opened = await makeOwner(deps, request, client, lang).catch((error: unknown) => {
    throw toTakenError(error);
  });
  deps.sessionAccounts.drop();
  return { answer: toLoginAnswer(deps, opened, lang), device: opened.device };
}

/** Any number, the same in every version. */
const LEVELS_LOCK = 4_701_924;

/** One at a time takes levels from people: of two who demote each other, the second has no right to it any more. First of all locks. */
export async function lockLevelsOfPeople(db: Queryable): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock($1)", [LEVELS_LOCK]);
}

/**
 * Numbers of the owners: active superusers with a proven address, who can sign in. No superuser, and none of `ids`, can go or be
 * changed before the transaction ends: of two who leave at once, the second waits for the first and then finds itself alone.
 * All in one order, so that no two writers wait for each other.
 */
export async function lockSuperusers(db: Queryable, ids: readonly number[] = []): Promise<number[]> {
  const { rows } = await db.query<{ id: number; is_owner: boolean }>(
    `SELECT u.id, l.level = $1 AND u.is_active AND u.is_email_verified AS is_owner
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE (l.level = $1 AND u.is_active) OR u.id = ANY($2::integer[]) ORDER BY u.id FOR UPDATE OF u`,
    [ACCESS_LEVEL.superuser, ids],
  );
  return rows.filter((row) => row.is_owner).map(({ id }) => id);
}

/**
 * The site keeps an owner: before an owner goes, is demoted or suspended, or loses the proof of their address.
 * @param field of the write that would end it.
 * @throws AppError last_superuser.
 */
export async function requireOtherSuperuser(db: Queryable, userId: number, field?: string): Promise<void> {
  const superusers = await lockSuperusers(db);
  if (superusers.some((id) => id !== userId)) return;
  throw new AppError("last_superuser", { fields: field ? [{ field, code: "last_superuser" }] : [] });
}
