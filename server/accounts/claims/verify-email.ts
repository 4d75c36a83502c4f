import type {
  CodeSentAnswer,
  VerifyEmailAnswer,
  VerifyEmailRequest,
} from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toMailLanguage } from "../account.ts";
import { toAnswerText, withFloor } from "../answers.ts";
import { checkCode, requireRightCode } from "../codes/check-code.ts";
import { lockAddress, lockCode, spendCode } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { buildCodeMail, type CodeMail, sendCode } from "../mails.ts";
import type { DeviceCookie } from "../sessions/devices.ts";
import { type OpenedSession, openSession, toLoginAnswer } from "../sessions/open-session.ts";
import { markSignedIn } from "../store.ts";
import { moveAddress, sendChangeCode } from "./change-email.ts";
import { hashTicket } from "./claims.ts";
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

async function sendVerification(deps: AccountDeps, email: string): Promise<number> {
  const subject = { purpose: "verify_email", email } as const;
  return withTransaction(deps.pool, async (db) => {
    await lockAddress(db, email);
    const isOwned = (await findOwner(db, email)) !== undefined;
    const named = (await lockCode(db, subject))?.user_id ?? null;
    const claimant = await findClaimant(db, email, named);
    const mail = claimant && !isOwned ? buildCodeMail("verification_code", claimant) : NOTHING;
    return sendCode(deps, db, subject, mail);
  });
}

/**
 * Sends a code to an address that somebody claims, or that the signed-in person moves to. Answers the same whether it does.
 * @throws AppError too_many_requests.
 */
export async function requestVerification(
  deps: AccountDeps,
  address: string,
  person: SignedIn | null,
  client: Client,
  lang: Language,
): Promise<CodeSentAnswer> {
  const email = address.toLowerCase();
  return withFloor(deps.answerFloor, async () => {
    deps.callLimits.take("code_request", client);
    const mover = await findMover(deps, person, email);
    const retryAfterS =
      mover && person
        ? await withTransaction(deps.pool, (db) =>
            sendChangeCode(deps, db, person, mover.pending_email ?? address, toMailLanguage(mover)),
          )
        : await sendVerification(deps, email);
    return { success: true, message: toAnswerText("code_sent", lang), retry_after: retryAfterS };
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
}

/** Runs with the address locked. Undefined: the code is good for nothing. */
async function prove(
  deps: AccountDeps,
  db: Queryable,
  request: { email: string; code: string; ticket: string | undefined },
  client: Client,
): Promise<Proof | undefined> {
  const { email, code, ticket } = request;
  const right = await checkCode(deps, db, { purpose: "verify_email", email }, code, client);
  if (!right || (await findOwner(db, email))) return undefined;
  const ticketHash = ticket ? hashTicket(ticket) : null;
  const claim = await findClaimToProve(db, email, { ticketHash, userId: right.userId });
  if (!claim) return undefined;
  await spendCode(db, right.id);
  const account = await proveAddress(deps, db, claim, client);
  const proof = { username: account.username, isWaiting: account.admission === "waiting" };
  if (!claim.is_ticket_holder || !account.is_active) return { ...proof, opened: undefined };
  const signedIn = await markSignedIn(db, claim, null, deps.clock());
  if (!signedIn) return { ...proof, opened: undefined };
  const device = deps.knownDevices.issue(account.id, claim.password_hash);
  const opened = await openSession(deps, db, { account: signedIn, device }, client, "verify_email");
  return { ...proof, opened };
}

/** What the answer says; of an account that waits nothing else matters. */
function toMessageKey(mover: Account | undefined, isWaiting: boolean) {
  if (isWaiting) return "email_verified_waiting";
  return mover ? "email_changed" : "email_verified";
}

/**
 * Takes a code that came by mail: for the address that an account claims, or for the one that the signed-in person moves to.
 * The browser that registered, which its ticket shows, is signed in, unless the account waits for a decision.
 * @throws AppError invalid_verification_code, too_many_requests.
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
  return withFloor(deps.answerFloor, async () => {
    const mover = await findMover(deps, person, email);
    const check = () =>
      withTransaction(deps.pool, async (db) => {
        await lockAddress(db, email);
        return mover
          ? moveAddress(deps, db, mover, { email, code }, client)
          : prove(deps, db, { email, code, ticket: request.ticket }, client);
      });
    const { username, isWaiting, opened } = await requireRightCode<Proof>(deps, client, check);
    deps.sessionAccounts.drop();
    return {
      answer: {
        success: true,
        message: toAnswerText(toMessageKey(mover, isWaiting), lang),
        username,
        is_waiting: isWaiting,
        session: opened ? toLoginAnswer(deps, opened, lang) : null,
      },
      device: opened?.device,
    };
  });
}
