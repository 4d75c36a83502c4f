import type { CodeSentAnswer } from "#contract/accounts/registration.ts";
import type { Language } from "#contract/languages.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toMailLanguage } from "../account.ts";
import { toAnswerText, withFloor } from "../answers.ts";
import { lockAddress, lockCode } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { buildCodeMail, type CodeMail, sendCode } from "../mails.ts";
import { sendChangeCode } from "./change-email.ts";
import { findClaimant, findOwner, findResettable } from "./store.ts";

const NOTHING: CodeMail = { kind: "nothing" };

/** The person's account when the address is the new one that they wait for. */
export async function findMover(
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

/** Sends the owner of an address a code for a new password. Answers the same where there is none. @throws AppError too_many_requests. */
export async function requestReset(
  deps: AccountDeps,
  address: string,
  client: Client,
  lang: Language,
): Promise<CodeSentAnswer> {
  const email = address.toLowerCase();
  return withFloor(deps.answerFloor, async () => {
    deps.callLimits.take("code_request", client);
    const retryAfterS = await withTransaction(deps.pool, async (db) => {
      await lockAddress(db, email);
      const owner = await findResettable(db, email);
      const mail = owner?.is_active ? buildCodeMail("password_reset", owner) : NOTHING;
      return sendCode(deps, db, { purpose: "reset_password", email }, mail);
    });
    return { success: true, message: toAnswerText("reset_code_sent", lang), retry_after: retryAfterS };
  });
}
