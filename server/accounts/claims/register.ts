import type { RegisterAnswer, RegisterRequest } from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "../account.ts";
import { toAnswerText, withFloor } from "../answers.ts";
import { hashTicket, lockAddress, toTicket } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { buildCodeMail, buildExistsMail, sendCode } from "../mails.ts";
import { endSessions } from "../sessions/store.ts";
import { findUserContentType, toTakenError } from "../store.ts";
import { noteInvitation, removeOldClaims, requireAdmission, takeInvitation } from "./claims.ts";
import { CLAIM_LIFETIME_MS, type Claim, findOwner, insertClaim, replaceClaim } from "./store.ts";

/** A row for the claim: the one that the ticket holds, or a new one. */
async function putClaim(
  db: Queryable,
  claim: Claim,
  heldTicket: string | undefined,
): Promise<{ id: number; isNew: boolean }> {
  await removeOldClaims(db, claim.now - CLAIM_LIFETIME_MS, claim.username);
  const replaced = heldTicket && (await replaceClaim(db, hashTicket(heldTicket), claim));
  if (!replaced) return { id: (await insertClaim(db, claim)).id, isNew: true };
  await endSessions(db, replaced.id, "password_changed", claim.now);
  return { id: replaced.id, isNew: false };
}

async function recordRegistration(
  db: Queryable,
  { id, isNew }: { id: number; isNew: boolean },
  claim: Claim,
  client: Client,
): Promise<void> {
  const actor = {
    userId: id,
    username: claim.username,
    level: 0,
    ipAddress: client.ipAddress,
    requestId: client.requestId,
  };
  await recordAudit(db, actor, {
    action: "CREATE",
    detail: "register",
    contentTypeId: await findUserContentType(db),
    objectId: id,
    objectRepr: claim.username,
  });
  await notifyChange(db, "accounts.user", toRowChange(isNew ? "created" : "updated", [id]));
}

/** The address's owner, if it has one, is notified; else the claim gets its code. Both take the same steps. */
async function store(
  deps: AccountDeps,
  claim: Claim,
  given: { ticket?: string | undefined; invitation?: string | undefined },
  client: Client,
) {
  const email = claim.email.toLowerCase();
  return withTransaction(deps.pool, async (db) => {
    await lockAddress(db, email);
    const put = await putClaim(db, claim, given.ticket);
    // Behind the claim before this one, whose use of the same link is free again.
    await noteInvitation(db, put.id, await takeInvitation(db, given.invitation, put.id, claim.now));
    await recordRegistration(db, put, claim, client);
    const owner = await findOwner(db, email);
    const claimant = {
      id: put.id,
      username: claim.username,
      email: claim.email,
      admin_language: claim.language,
    };
    const mail = owner ? buildExistsMail(owner) : buildCodeMail("verification_code", claimant);
    return sendCode(deps, db, { purpose: "verify_email", email }, claim.ticketHash, mail);
  });
}

/**
 * Makes an account of level 0 that claims the address (docs/decisions/010). Values were checked; only a taken username is reported.
 * @throws AppError validation_failed at `username`, too_many_requests; registration_closed, invitation_required and
 * invitation_invalid, which say nothing of any address or name.
 */
export async function register(
  deps: AccountDeps,
  request: RegisterRequest,
  client: Client,
  lang: Language,
): Promise<RegisterAnswer> {
  return withFloor(deps.answerFloor, async () => {
    await deps.callLimits.take("registration", client);
    await requireAdmission(deps.pool, request.invitation);
    const { username, email } = request;
    await deps.passwordRules.requireGood(deps.pool, request.password, request, "password");
    const passwordHash = await deps.passwords.hash(request.password);
    const { ticket, ticketHash } = toTicket(request.ticket);
    const claim = { username, email, passwordHash, ticketHash, language: lang, now: deps.clock() };
    const retryAfterS = await store(deps, claim, request, client).catch((error: unknown) => {
      throw toTakenError(error);
    });
    deps.sessionAccounts.drop();
    return {
      success: true,
      message: toAnswerText("registered", lang),
      email,
      ticket,
      retry_after: retryAfterS,
    };
  });
}
