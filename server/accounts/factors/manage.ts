import type pg from "pg";
import type * as z from "zod/mini";
import {
  type FactorChange,
  PASSKEYS_MAX,
  type PasskeyOptionsAnswer,
  type SecondFactorChanged,
  type SecondFactorState,
} from "#contract/accounts/second-factor.ts";
import type { addPasskeyRequest } from "#contract/accounts/second-factor-requests.ts";
import { raiseAlert, recordAudit } from "#server/audit/service.ts";
import { type SignedIn, SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toStorableLine } from "#server/db/sql.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { AccountDeps } from "../deps.ts";
import { buildFactorsChangedMail } from "../mails.ts";
import { isStaff } from "../people/store.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { requireRecent, requireRecentFactor } from "../sessions/recent.ts";
import { isFactorRequired } from "../sessions/session-accounts.ts";
import { noteConfirmation, setFactorDue } from "../sessions/store.ts";
import { findCredentials, findPasswordOwner, findUserContentType } from "../store.ts";
import { createAppSecret, createRecoveryCodes, takeAppCode, toAppUri } from "./codes.ts";
import { buildRegistrationOptions, type RelyingParty, readRegistration } from "./passkeys.ts";
import {
  deleteApp,
  deleteFactors,
  deletePasskey,
  type Factors,
  findFactors,
  insertPasskey,
  isProtected,
  lockFactors,
  putApp,
  renamePasskey,
  replaceRecoveryCodes,
  spendTicket,
} from "./store.ts";

function toState(
  deps: AccountDeps,
  person: SignedIn,
  factors: Factors,
  canUsePasskeys: boolean,
): SecondFactorState {
  const isOwed = !isProtected(factors);
  return {
    // Who owes one and let the time pass has a lower level until they have it.
    is_required: isFactorRequired(person.level, deps.factorLevel) || person.owesFactor === true,
    due_at: isOwed ? factors.due_at : null,
    app_since: factors.app_since,
    passkeys: factors.passkeys.map(({ credential_id: _id, transports: _transports, ...shown }) => shown),
    recovery_codes_left: factors.recovery_codes_left,
    can_use_passkeys: canUsePasskeys,
  };
}

export async function getFactorState(
  deps: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<SecondFactorState> {
  return toState(deps, person, await findFactors(deps.pool, person.userId), site !== undefined);
}

/** Of staff the owners hear of these. */
const REMOVALS: readonly FactorChange[] = ["app_removed", "passkey_removed", "factors_removed"];

/** Writes that the factors are others now, and tells the person by mail. */
async function settleFactors(
  { mail, clock }: Pick<AccountDeps, "mail" | "clock">,
  db: Queryable,
  person: { userId: number; actor: Parameters<typeof recordAudit>[1] },
  change: FactorChange,
): Promise<void> {
  const owner = await findPasswordOwner(db, person.userId);
  if (!owner) throw new AppError("session_expired");
  await recordAudit(db, person.actor, {
    action: "UPDATE",
    detail: change,
    contentTypeId: await findUserContentType(db),
    objectId: person.userId,
    objectRepr: owner.username,
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [person.userId]));
  if (owner.is_email_verified) await mail.queue(db, buildFactorsChangedMail(owner, change, clock()));
  if (REMOVALS.includes(change) && (await isStaff(db, person.userId))) {
    const { userId: byId, ipAddress } = person.actor;
    await raiseAlert(db, { kind: "factor_off", userId: person.userId, byId, ipAddress });
  }
}

/**
 * A factor belongs to who reads the mailbox: one that somebody added to an account under another person's address would keep its owner
 * out of it. @throws AppError address_unproven.
 */
async function requireProvenAddress(db: Queryable, userId: number): Promise<void> {
  const owner = await findPasswordOwner(db, userId);
  if (!owner?.is_email_verified) throw new AppError("address_unproven");
}

/** @throws AppError step_up_required: the log-in, or for who has a factor the showing of one, is longer ago than ten minutes. */
async function requireShown(
  { clock }: Pick<AccountDeps, "clock">,
  db: Queryable,
  person: SignedIn,
  factors: Factors,
): Promise<void> {
  if (isProtected(factors)) await requireRecentFactor({ pool: db, clock }, person);
  else await requireRecent({ pool: db, clock }, person);
}

/**
 * Runs a change of the person's own factors, which asks for a recent log-in, or for one of the factors that there are.
 * @param work Answers what was changed; undefined: nothing, and nobody is told.
 * @throws AppError step_up_required, second_factor_needed, and what `work` throws.
 */
async function change(
  deps: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
  work: (db: Queryable, before: Factors) => Promise<FactorChange | undefined>,
): Promise<SecondFactorChanged> {
  const changed = await withTransaction(deps.pool, async (db) => {
    const before = await lockFactors(db, person.userId);
    // Behind the lock: of two changes that meet the second one finds what the first one left.
    await requireShown(deps, db, person, before);
    const what = await work(db, before);
    const after = await findFactors(db, person.userId);
    const isFirst = !isProtected(before) && isProtected(after);
    const isLast = isProtected(before) && !isProtected(after);
    if (isLast && isFactorRequired(person.level, deps.factorLevel))
      throw new AppError("second_factor_needed");
    if (isLast) await replaceRecoveryCodes(db, person.userId, []);
    const made = isFirst || what === "recovery_codes_made" ? createRecoveryCodes() : undefined;
    if (made) await replaceRecoveryCodes(db, person.userId, made.hashes);
    if (isFirst) {
      await setFactorDue(db, person.userId, null);
      // A code of it was typed, or its finger asked for: that it is there has just been shown.
      await noteConfirmation(db, person.sessionId, deps.clock(), true);
    }
    if (what) await settleFactors(deps, db, { userId: person.userId, actor: person }, what);
    return { factors: await findFactors(db, person.userId), codes: made?.codes ?? null };
  });
  deps.sessionAccounts.drop();
  const state = toState(deps, person, changed.factors, site !== undefined);
  return { state, recovery_codes: changed.codes };
}

/**
 * A new secret for an authenticator app, which counts once a code of it was typed.
 * @throws AppError step_up_required, address_unproven, app_known.
 */
export async function makeAppSecret(
  deps: AccountDeps,
  person: SignedIn,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  await requireShown(deps, deps.pool, person, await findFactors(deps.pool, person.userId));
  await requireProvenAddress(deps.pool, person.userId);
  const { secret, sealed } = createAppSecret(deps, person.userId);
  const isNew = await putApp(deps.pool, { userId: person.userId, sealedSecret: sealed, now: deps.clock() });
  if (!isNew) throw new AppError("app_known");
  return { secret, uri: toAppUri(secret, issuer, person.username) };
}

/** @throws AppError validation_failed at `code`, step_up_required, address_unproven, too_many_logins. */
export function confirmApp(
  deps: AccountDeps,
  person: SignedIn,
  code: string,
  site: RelyingParty | undefined,
): Promise<SecondFactorChanged> {
  const guesser = { kind: "session", userId: person.userId, sessionId: person.sessionId } as const;
  return deps.limits.attempt(
    guesser,
    { wrong: "validation_failed", onFirstRefusal: async () => undefined },
    () =>
      change(deps, person, site, async (db) => {
        await requireProvenAddress(db, person.userId);
        const typed = code.replaceAll(/\s/g, "");
        if (!(await takeAppCode(deps, db, person.userId, typed, { isFirst: true })))
          throw new AppError("validation_failed", { fields: [{ field: "code", code: "wrong_app_code" }] });
        return "app_added";
      }),
  );
}

/** @throws AppError step_up_required, second_factor_needed. */
export function removeApp(
  deps: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<SecondFactorChanged> {
  return change(deps, person, site, async (db, { app_since }) => {
    await deleteApp(db, person.userId);
    return app_since === null ? undefined : "app_removed";
  });
}

/** @throws AppError step_up_required, passkeys_unavailable, address_unproven, too_many_passkeys. */
export async function askNewPasskey(
  deps: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<PasskeyOptionsAnswer> {
  const factors = await findFactors(deps.pool, person.userId);
  await requireShown(deps, deps.pool, person, factors);
  if (!site) throw new AppError("passkeys_unavailable");
  await requireProvenAddress(deps.pool, person.userId);
  const { passkeys } = factors;
  if (passkeys.length >= PASSKEYS_MAX) throw new AppError("too_many_passkeys");
  const { userId, username } = person;
  const options = await buildRegistrationOptions(site, { userId, username, displayName: username }, passkeys);
  const { challenge } = options;
  const ticket = deps.tickets.issue({ purpose: "add", userId, passwordMark: null, challenge, area: "site" });
  return { options: { ...options }, ticket };
}

/** @throws AppError second_factor_over, invalid_second_factor, passkey_known, too_many_passkeys, step_up_required, address_unproven. */
export function addPasskey(
  deps: AccountDeps,
  person: SignedIn,
  { ticket: text, passkey, name }: z.infer<typeof addPasskeyRequest>,
  { site, device }: { site: RelyingParty | undefined; device: string },
): Promise<SecondFactorChanged> {
  return change(deps, person, site, async (db, { passkeys }) => {
    const ticket = deps.tickets.read(text, "add");
    if (!ticket?.challenge || !site || ticket.userId !== person.userId)
      throw new AppError("second_factor_over");
    const read = await readRegistration(site, ticket.challenge, passkey);
    if (!read) throw new AppError("invalid_second_factor");
    if (passkeys.length >= PASSKEYS_MAX) throw new AppError("too_many_passkeys");
    await requireProvenAddress(db, person.userId);
    if (!(await spendTicket(db, ticket.id, ticket.expiresAt))) throw new AppError("second_factor_over");
    const shown = toStorableLine(name) || device;
    const made = { ...read, user_id: person.userId, name: shown, now: deps.clock() };
    if (!(await insertPasskey(db, made))) throw new AppError("passkey_known");
    return "passkey_added";
  });
}

/** @throws AppError object_not_found. */
export async function nameOwnPasskey(
  deps: AccountDeps,
  person: SignedIn,
  { id, name }: { id: number; name: string },
  site: RelyingParty | undefined,
): Promise<SecondFactorState> {
  if (!(await renamePasskey(deps.pool, person.userId, id, toStorableLine(name))))
    throw new AppError("object_not_found");
  return getFactorState(deps, person, site);
}

/** @throws AppError object_not_found, step_up_required, second_factor_needed. */
export function removePasskey(
  deps: AccountDeps,
  person: SignedIn,
  id: number,
  site: RelyingParty | undefined,
): Promise<SecondFactorChanged> {
  return change(deps, person, site, async (db) => {
    if ((await deletePasskey(db, person.userId, id)) === undefined) throw new AppError("object_not_found");
    return "passkey_removed";
  });
}

/** New recovery codes; those before are worth nothing. @throws AppError step_up_required, second_factor_missing. */
export function renewRecoveryCodes(
  deps: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<SecondFactorChanged> {
  return change(deps, person, site, async (_db, before) => {
    if (!isProtected(before)) throw new AppError("second_factor_missing");
    return "recovery_codes_made";
  });
}

/**
 * Takes all second factors of a person away, for who lost everything: the owner of the machine asks for it. Their sessions end, and the
 * time in which they owe a new one begins at the next log-in. @throws AppError object_not_found, second_factor_missing.
 */
export async function removeAllFactors(
  deps: Pick<AccountDeps, "mail" | "clock"> & { pool: pg.Pool },
  username: string,
): Promise<{ username: string }> {
  return withTransaction(deps.pool, async (db) => {
    const known = await findCredentials(db, username);
    if (!known) throw new AppError("object_not_found");
    await lockFactors(db, known.id);
    if (!(await deleteFactors(db, known.id))) throw new AppError("second_factor_missing");
    await endAllSessions(db, known.id, "revoked", deps.clock());
    await settleFactors(deps, db, { userId: known.id, actor: SYSTEM_ACTOR }, "factors_removed");
    return { username: known.username };
  });
}
