import type * as z from "zod/mini";
import type { confirmOptions } from "#contract/accounts/second-factor.ts";
import type { ConfirmRequest } from "#contract/accounts/second-factor-requests.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { noteWrongFactor, requireFactorGuess, takeTypedCode } from "../factors/codes.ts";
import { buildAssertionOptions, checkAssertion, type RelyingParty } from "../factors/passkeys.ts";
import { findFactors, spendTicket } from "../factors/store.ts";
import { noteConfirmation } from "../sessions/store.ts";
import { confirmPassword } from "./confirm-password.ts";

/** How the person can confirm beside the password; no passkey where they have none, or the address of the site allows none. */
export async function askConfirmation(
  { pool, tickets }: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<z.infer<typeof confirmOptions>> {
  const { passkeys, app_since, recovery_codes_left } = await findFactors(pool, person.userId);
  const codes = { has_app: app_since !== null, has_recovery_codes: recovery_codes_left > 0 };
  if (!site || passkeys.length === 0) return { passkey: null, ...codes };
  const options = await buildAssertionOptions(site, passkeys);
  const { challenge } = options;
  const ticket = tickets.issue({
    purpose: "confirm",
    userId: person.userId,
    passwordMark: null,
    challenge,
    area: "site",
  });
  return { passkey: { options: { ...options }, ticket }, ...codes };
}

/**
 * Takes a code of the person's. Wrong ones are counted with those at the log-in: a session that was taken over gives no more guesses.
 * @throws AppError invalid_second_factor, too_many_logins.
 */
function confirmByCode(deps: AccountDeps, { userId }: SignedIn, code: string, confirm: Confirm) {
  // Whoever took a session over isn't told from its person.
  const from = "anywhere";
  return deps.limits.attempt(
    { kind: "factor", userId, from },
    { wrong: "invalid_second_factor", onFirstRefusal: async () => undefined },
    async () => {
      const confirmed = await withTransaction(deps.pool, async (db) => {
        await requireFactorGuess(deps, db, userId, from);
        if (await takeTypedCode(deps, db, userId, code)) return confirm(db, true);
        await noteWrongFactor(deps, db, userId, from);
        return undefined;
      });
      if (!confirmed) throw new AppError("invalid_second_factor");
      return confirmed;
    },
  );
}

type Confirm = (db: Queryable, byFactor: boolean) => Promise<{ access: string }>;

/**
 * Shows by password, passkey or code that it is still the person who signed in.
 * @returns an access token that says when. @throws AppError validation_failed, too_many_logins, invalid_second_factor.
 */
export async function confirmPerson(
  deps: AccountDeps,
  person: SignedIn,
  { password, code, passkey, ticket }: ConfirmRequest,
  client: Client,
  site: RelyingParty | undefined,
): Promise<{ access: string }> {
  const confirm: Confirm = async (db, byFactor) => {
    const account = await noteConfirmation(db, person.sessionId, deps.clock(), byFactor);
    if (!account) throw new AppError("session_expired");
    const actor = { ...person, ipAddress: client.ipAddress, requestId: client.requestId };
    await recordAudit(db, actor, { action: "LOGIN", detail: "confirmed" });
    return { access: deps.accessTokens.sign(account, person.sessionId, deps.clock()) };
  };
  if (code !== undefined) return confirmByCode(deps, person, code, confirm);
  if (!passkey) await confirmPassword(deps, person, password ?? "", "password", client);
  return withTransaction(deps.pool, async (db) => {
    if (passkey) {
      const given = deps.tickets.read(ticket ?? "", "confirm");
      const key =
        given?.challenge && site && given.userId === person.userId
          ? await checkAssertion(deps, db, site, given.challenge, passkey, person.userId)
          : undefined;
      if (!given || !key || !(await spendTicket(db, given.id, given.expiresAt)))
        throw new AppError("invalid_second_factor");
    }
    return confirm(db, passkey !== undefined);
  });
}
