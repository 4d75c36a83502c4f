import { randomBytes } from "node:crypto";
import type {
  CodeRequest,
  CodeSentAnswer,
  VerifyEmailAnswer,
  VerifyEmailRequest,
} from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toMailLanguage } from "../account.ts";
import { toAnswerText, withFloor } from "../answers.ts";
import { checkCode, requireRightCode, type ShownCode } from "../codes/check-code.ts";
import { hashTicket, insertCode, lockAddress, lockNewestCode, spendCode, toTicket } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { findFactors, isProtected } from "../factors/store.ts";
import { buildCodeMail, type CodeMail, sendCode } from "../mails.ts";
import type { DeviceCookie } from "../sessions/devices.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { type OpenedSession, openSession, toLoginAnswer } from "../sessions/open-session.ts";
import { markSignedIn, toMoment, updatePassword } from "../store.ts";
import { moveAddress, sendChangeCode } from "./change-email.ts";
import { findClaimant, findClaimToProve, findOwner } from "./store.ts";
import { proveAddress } from "./waiting.ts";

const NOTHING: CodeMail = { kind: "nothing" };

/** The person's account when the address is the new one that they wait for. */
async function findMover(
  deps: AccountDeps,
  person: SignedIn | null,
  email: string,
): Promise<Account | undefined> {
  const found = person && (await deps.sessionAccounts.find(person.sessionId));
  return found && found.account.pending_email?.toLowerCase() === email ? found.account : undefined;
}

async function sendVerification(deps: AccountDeps, email: string, ticketHash: string): Promise<number> {
  const subject = { purpose: "verify_email", email } as const;
  return withTransaction(deps.pool, async (db) => {
    await lockAddress(db, email);
    const isOwned = (await findOwner(db, email)) !== undefined;
    const userId = (await lockNewestCode(db, subject))?.user_id ?? null;
    const claimant = await findClaimant(db, email, { ticketHash, userId });
    const mail = claimant && !isOwned ? buildCodeMail("verification_code", claimant) : NOTHING;
    return sendCode(deps, db, subject, ticketHash, mail);
  });
}

/**
 * Sends a code to an address that somebody claims, or that the signed-in person moves to. Answers the same whether it does.
 * @throws AppError too_many_requests.
 */
export async function requestVerification(
  deps: AccountDeps,
  request: CodeRequest,
  person: SignedIn | null,
  client: Client,
  lang: Language,
): Promise<CodeSentAnswer> {
  const address = request.email;
  const email = address.toLowerCase();
  const { ticket, ticketHash } = toTicket(request.ticket);
  return withFloor(deps.answerFloor, async () => {
    await deps.callLimits.take("code_request", client);
    const mover = await findMover(deps, person, email);
    const retryAfterS =
      mover && person
        ? await withTransaction(deps.pool, (db) =>
            sendChangeCode(deps, db, person, mover.pending_email ?? address, toMailLanguage(mover)),
          )
        : await sendVerification(deps, email, ticketHash);
    return { success: true, message: toAnswerText("code_sent", lang), ticket, retry_after: retryAfterS };
  });
}

export interface VerifiedAnswer {
  answer: VerifyEmailAnswer;
  /** Where the browser was signed in. */
  device: DeviceCookie | undefined;
}

/** Whose address was proven, and the session that this opened. */
interface Proof {
  username: string;
  isWaiting: boolean;
  opened: OpenedSession | undefined;
  /** With which a new password is set, where the one before is worth nothing. */
  resetProof?: string;
}

const PASSWORD_BYTES = 32;

/**
 * The code came from elsewhere than the account: whoever reads the mailbox may never have asked for an account, and somebody else
 * knows its password. That and its sessions end. @returns with what a new one is set, as if the mail for that had come too.
 */
async function takeFromRegistrant(deps: AccountDeps, db: Queryable, { id, email }: Account): Promise<string> {
  const passwordHash = await deps.passwords.hash(randomBytes(PASSWORD_BYTES).toString("base64url"));
  await updatePassword(db, id, passwordHash, null);
  const now = deps.clock();
  await endAllSessions(db, id, "password_changed", now);
  const { ticket, ticketHash } = toTicket();
  const subject = { purpose: "reset_password", email: email.toLowerCase() } as const;
  await insertCode(db, subject, {
    userId: id,
    hash: null,
    proofHash: ticketHash,
    // No mail was sent: who asks for one waits for nothing.
    sentAt: toMoment(now - LIMITS.codeResendCooldownS * 1000),
    expiresAt: toMoment(now + LIMITS.codeLifetimeS * 1000),
  });
  return ticket;
}

/** Runs with the address locked. `personId`: who is signed in. Undefined: the code is good for nothing. */
async function prove(
  deps: AccountDeps,
  db: Queryable,
  shown: ShownCode & { email: string; personId: number | null },
  client: Client,
): Promise<Proof | undefined> {
  const { email, ticketHash, personId } = shown;
  const right = await checkCode(deps, db, { purpose: "verify_email", email }, shown, client);
  if (!right || (await findOwner(db, email))) return undefined;
  const claim = await findClaimToProve(db, email, { ticketHash, userId: right.userId });
  if (!claim) return undefined;
  await spendCode(db, right.id);
  const account = await proveAddress(deps, db, claim, client);
  const proof = { username: account.username, isWaiting: account.admission === "waiting" };
  if (!account.is_active) return { ...proof, opened: undefined };
  if (!claim.is_ticket_holder && personId !== claim.id)
    return { ...proof, opened: undefined, resetProof: await takeFromRegistrant(deps, db, account) };
  if (!claim.is_ticket_holder) return { ...proof, opened: undefined };
  // A mailbox is no second factor: who has set one up since, before the code came, logs in.
  if (isProtected(await findFactors(db, claim.id))) return { ...proof, opened: undefined };
  const signedIn = await markSignedIn(db, claim, deps.clock());
  if (!signedIn) return { ...proof, opened: undefined };
  const device = deps.knownDevices.issue(claim);
  const opened = await openSession(deps, db, { account: signedIn, device }, client, "verify_email");
  return { ...proof, opened };
}

/** What the answer says; of an account that waits nothing else matters. */
function toMessageKey(mover: Account | undefined, { isWaiting, resetProof }: Proof) {
  if (resetProof !== undefined) return "email_verified_elsewhere";
  if (isWaiting) return "email_verified_waiting";
  return mover ? "email_changed" : "email_verified";
}

/**
 * Takes a code that came by mail: for the address that an account claims, or for the one that the signed-in person moves to.
 * The browser that registered, which its ticket shows, is signed in, unless the account waits for a decision or has a second
 * factor. From any other that isn't signed in to the account a new password is needed: the registration's is worth nothing any more.
 * @throws AppError invalid_verification_code, too_many_codes, too_many_requests.
 */
export async function verifyEmail(
  deps: AccountDeps,
  request: VerifyEmailRequest,
  person: SignedIn | null,
  client: Client,
  lang: Language,
): Promise<VerifiedAnswer> {
  const email = request.email.toLowerCase();
  const code = request.otp_code.trim();
  const ticketHash = request.ticket ? hashTicket(request.ticket) : null;
  const personId = person?.userId ?? null;
  return withFloor(deps.answerFloor, async () => {
    const mover = await findMover(deps, person, email);
    const check = () =>
      withTransaction(deps.pool, async (db) => {
        await lockAddress(db, email);
        return mover
          ? moveAddress(deps, db, mover, { email, code }, client)
          : prove(deps, db, { email, code, ticketHash, proof: request.proof, personId }, client);
      });
    const proven = await requireRightCode<Proof>(deps, client, check);
    const { username, isWaiting, opened, resetProof } = proven;
    deps.sessionAccounts.drop();
    return {
      answer: {
        success: true,
        message: toAnswerText(toMessageKey(mover, proven), lang),
        username,
        is_waiting: isWaiting,
        session: opened ? toLoginAnswer(deps, opened, lang) : null,
        reset: resetProof === undefined ? null : { email: request.email, proof: resetProof },
      },
      device: opened?.device,
    };
  });
}
