import type * as z from "zod/mini";
import type { ChangePasswordRequest, DoneAnswer } from "#contract/accounts/accounts.ts";
import type {
  CodeRequest,
  CodeSentAnswer,
  ResetPasswordRequest,
  resetPasswordAnswer,
} from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toActor } from "../account.ts";
import { toAnswerText, withFloor } from "../answers.ts";
import { findResettable } from "../claims/store.ts";
import { proveAddress } from "../claims/waiting.ts";
import { checkCode, requireRightCode } from "../codes/check-code.ts";
import { hashTicket, lockAddress, spendCode, spendResetCodes, toTicket } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { requireNoFactor } from "../factors/ask.ts";
import type { RelyingParty } from "../factors/passkeys.ts";
import { buildCodeMail, buildPasswordChangedMail, type CodeMail, sendCode } from "../mails.ts";
import type { DeviceCookie } from "../sessions/devices.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { type OpenedSession, openSession, toLoginAnswer } from "../sessions/open-session.ts";
import {
  findPasswordOwner,
  findUserContentType,
  markSignedIn,
  requireAdmitted,
  updatePassword,
} from "../store.ts";
import { confirmPassword } from "./confirm-password.ts";

/**
 * Sets a password, ends the sessions and codes that were good with the one before, writes the audit entry and notifies the person by mail.
 * Undefined when the account is suspended or gone, or its password no longer the one that was compared.
 */
async function setPassword(
  deps: AccountDeps,
  db: Queryable,
  given: {
    userId: number;
    passwordHash: string;
    compared: string | null;
    detail: "change_password" | "password_reset";
    keptSessionId?: string;
  },
  client: Client,
): Promise<Account | undefined> {
  // Codes before the account, in the order in which a typed code locks them.
  await spendResetCodes(db, given.userId);
  const account = await updatePassword(db, given.userId, given.passwordHash, given.compared);
  if (!account) return undefined;
  const now = deps.clock();
  await endAllSessions(db, account.id, "password_changed", now, given.keptSessionId);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: given.detail,
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  if (account.is_email_verified) await deps.mail.queue(db, buildPasswordChangedMail(account, now));
  return account;
}

/**
 * Changes the signed-in person's password; all their other sessions end.
 * @throws AppError validation_failed at `current_password`, too_many_logins, session_expired.
 */
export async function changePassword(
  deps: AccountDeps,
  person: SignedIn,
  request: ChangePasswordRequest,
  client: Client,
  lang: Language,
): Promise<{ answer: DoneAnswer; device: DeviceCookie }> {
  const compared = await confirmPassword(deps, person, request.current_password, "current_password", client);
  const owner = await findPasswordOwner(deps.pool, person.userId);
  if (!owner) throw new AppError("session_expired");
  await deps.passwordRules.requireGood(deps.pool, request.new_password, owner, "new_password");
  const passwordHash = await deps.passwords.hash(request.new_password);
  const { userId, sessionId } = person;
  const detail = "change_password";
  const change = { userId, passwordHash, compared, detail, keptSessionId: sessionId } as const;
  await withTransaction(deps.pool, async (db) => {
    // Suspended, or changed from elsewhere, since the guard looked: that ended this session too.
    if (!(await setPassword(deps, db, change, client))) throw new AppError("session_expired");
  });
  deps.sessionAccounts.drop();
  return {
    answer: { success: true, message: toAnswerText("password_changed", lang) },
    device: deps.knownDevices.issue({ id: userId, password_hash: passwordHash, device_epoch: 0 }),
  };
}

/** Sends the owner of an address a code for a new password. Answers the same where there is none. @throws AppError too_many_requests. */
export async function requestReset(
  deps: AccountDeps,
  request: CodeRequest,
  client: Client,
  lang: Language,
): Promise<CodeSentAnswer> {
  const email = request.email.toLowerCase();
  const { ticket, ticketHash } = toTicket(request.ticket);
  return withFloor(deps.answerFloor, async () => {
    await deps.callLimits.take("code_request", client);
    const retryAfterS = await withTransaction(deps.pool, async (db) => {
      await lockAddress(db, email);
      const owner = await findResettable(db, email);
      const mail: CodeMail = owner?.is_active ? buildCodeMail("password_reset", owner) : { kind: "nothing" };
      return sendCode(deps, db, { purpose: "reset_password", email }, ticketHash, mail);
    });
    return {
      success: true,
      message: toAnswerText("reset_code_sent", lang),
      ticket,
      retry_after: retryAfterS,
    };
  });
}

export interface ResetAnswer {
  answer: z.infer<typeof resetPasswordAnswer>;
  device: DeviceCookie;
}

/** Where a reset came from. `site` undefined: no passkey can be asked for there. */
interface ResetPlace {
  client: Client;
  site: RelyingParty | undefined;
}

/** A second factor that is asked for: the password stays set all the same. */
function toAsked(error: unknown): AppError {
  if (error instanceof AppError && error.code === "second_factor_required") return error;
  throw error;
}

/** `refuse` says after commit why there is no session. */
type UsedCode = { opened: OpenedSession } | { refuse: () => Promise<void> };

/** The hash is made once the code was right: guesses cost none. */
async function useCode(
  deps: AccountDeps,
  request: ResetPasswordRequest,
  { client, site }: ResetPlace,
): Promise<UsedCode | undefined> {
  const email = request.email.toLowerCase();
  return withTransaction(deps.pool, async (db) => {
    await lockAddress(db, email);
    const shown = {
      code: request.otp_code.trim(),
      ticketHash: request.ticket ? hashTicket(request.ticket) : null,
      proof: request.proof,
    };
    const right = await checkCode(deps, db, { purpose: "reset_password", email }, shown, client);
    // The mail named whose address this was then: it may have moved to another one since, and this mailbox may be anybody's.
    const owner = right && (await findResettable(db, email));
    if (!owner || owner.id !== right.userId) return undefined;
    const userId = owner.id;
    await deps.passwordRules.requireGood(db, request.password, owner, "password");
    const passwordHash = await deps.passwords.hash(request.password);
    await spendCode(db, right.id);
    // An account that the console made: the code has come to its address.
    if (!owner.is_email_verified) await proveAddress(deps, db, owner, client);
    const detail = "password_reset";
    const account = await setPassword(deps, db, { userId, passwordHash, compared: null, detail }, client);
    if (!account) return undefined;
    const compared = { id: userId, password_hash: passwordHash };
    const entered = await markSignedIn(db, compared, deps.clock());
    // The password stays set: it is theirs. Who waits comes in with it once they are admitted.
    if (!entered) return { refuse: () => requireAdmitted(deps.pool, compared) };
    const asked = await requireNoFactor(deps, db, compared, { site, area: "site" }).catch(toAsked);
    if (asked) return { refuse: () => Promise.reject(asked) };
    const device = deps.knownDevices.issue({ ...compared, device_epoch: 0 });
    return { opened: await openSession(deps, db, { account: entered, device }, client, detail) };
  });
}

/**
 * Sets a new password with a code from the mail; all sessions end, and one opens here.
 * @throws AppError invalid_verification_code, too_many_codes, too_many_requests; account_waiting, account_refused and
 * second_factor_required once the password is set.
 */
export async function resetPassword(
  deps: AccountDeps,
  request: ResetPasswordRequest,
  place: ResetPlace,
  lang: Language,
): Promise<ResetAnswer> {
  return withFloor(deps.answerFloor, async () => {
    const used = await requireRightCode(deps, place.client, () => useCode(deps, request, place));
    deps.sessionAccounts.drop();
    if ("refuse" in used) {
      await used.refuse();
      throw new AppError("invalid_verification_code");
    }
    const { opened } = used;
    return {
      answer: {
        success: true,
        message: toAnswerText("password_changed", lang),
        session: toLoginAnswer(deps, opened, lang),
      },
      device: opened.device,
    };
  });
}
