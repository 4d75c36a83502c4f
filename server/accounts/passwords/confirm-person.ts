import type { PasskeyOptionsAnswer } from "#contract/accounts/second-factor.ts";
import type { ConfirmRequest } from "#contract/accounts/second-factor-requests.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { buildAssertionOptions, checkAssertion, type RelyingParty } from "../factors/passkeys.ts";
import { findFactors, spendTicket } from "../factors/store.ts";
import { noteConfirmation } from "../sessions/store.ts";
import { confirmPassword } from "./confirm-password.ts";

/** For a confirmation by passkey; null where the person has none, or the address of the site allows none. */
export async function askConfirmation(
  { pool, tickets }: AccountDeps,
  person: SignedIn,
  site: RelyingParty | undefined,
): Promise<PasskeyOptionsAnswer | null> {
  const { passkeys } = await findFactors(pool, person.userId);
  if (!site || passkeys.length === 0) return null;
  const options = await buildAssertionOptions(site, passkeys);
  const { challenge } = options;
  const ticket = tickets.issue({
    purpose: "confirm",
    userId: person.userId,
    passwordMark: null,
    challenge,
    area: "site",
  });
  return { options: { ...options }, ticket };
}

/**
 * Shows by password or passkey that it is still the person who signed in.
 * @returns an access token that says when. @throws AppError validation_failed, too_many_logins, invalid_second_factor.
 */
export async function confirmPerson(
  deps: AccountDeps,
  person: SignedIn,
  { password, passkey, ticket }: ConfirmRequest,
  client: Client,
  site: RelyingParty | undefined,
): Promise<{ access: string }> {
  if (!passkey) await confirmPassword(deps, person, password ?? "", "password", client);
  return withTransaction(deps.pool, async (db) => {
    if (passkey) {
      const given = deps.tickets.read(ticket ?? "", "confirm");
      const key =
        given?.challenge && site ? await checkAssertion(deps, db, site, given.challenge, passkey) : undefined;
      const isOwn = key?.user_id === person.userId && given?.userId === person.userId;
      if (!isOwn || !(await spendTicket(db, given.id, given.expiresAt)))
        throw new AppError("invalid_second_factor");
    }
    const account = await noteConfirmation(db, person.sessionId, deps.clock());
    if (!account) throw new AppError("session_expired");
    const actor = { ...person, ipAddress: client.ipAddress, requestId: client.requestId };
    await recordAudit(db, actor, { action: "LOGIN", detail: "confirmed" });
    return { access: deps.accessTokens.sign(account, person.sessionId, deps.clock()) };
  });
}
