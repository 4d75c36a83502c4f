import type * as z from "zod/mini";
import type { ResetPasswordRequest, resetPasswordAnswer } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "./account.ts";
import { withFloor } from "./answer-floor.ts";
import { toAnswerText } from "./answers.ts";
import { findResettable } from "./claims/store.ts";
import { lockAddress, spendCode } from "./code-store.ts";
import { checkCode, requireRightCode } from "./codes/check-code.ts";
import { markSignedIn } from "./credential-store.ts";
import type { AccountParts } from "./deps.ts";
import { setPassword } from "./passwords/set-password.ts";
import { proveAddress } from "./prove-address.ts";
import type { DeviceCookie } from "./sessions/devices.ts";
import { type OpenedSession, openSession, toLoginAnswer } from "./sessions/open-session.ts";

export interface ResetAnswer {
  answer: z.infer<typeof resetPasswordAnswer>;
  device: DeviceCookie;
}

/** The hash is made once the code was right: guesses cost none. */
async function useCode(
  parts: AccountParts,
  request: ResetPasswordRequest,
  client: Client,
): Promise<OpenedSession | undefined> {
  const email = request.email.toLowerCase();
  return withTransaction(parts.pool, async (db) => {
    await lockAddress(db, email);
    const code = request.otp_code.trim();
    const right = await checkCode(parts, db, { purpose: "reset_password", email }, code, client);
    // The mail named whose address this was then: it may have moved to another one since, and this mailbox may be anybody's.
    const owner = right && (await findResettable(db, email));
    if (!owner || owner.id !== right.userId) return undefined;
    const userId = owner.id;
    const passwordHash = await parts.passwords.hash(request.password);
    await spendCode(db, right.id);
    // An account that the console made: the code has come to its address.
    if (!owner.is_email_verified) await proveAddress(db, owner, client);
    const detail = "password_reset";
    const account = await setPassword(parts, db, { userId, passwordHash, compared: null, detail }, client);
    const entered =
      account && (await markSignedIn(db, { id: userId, password_hash: passwordHash }, null, parts.clock()));
    if (!entered) return undefined;
    const device = parts.knownDevices.issue(userId, passwordHash);
    return openSession(parts, db, { account: entered, device }, client, detail);
  });
}

/**
 * Sets a new password with a code from the mail; all sessions end, and one opens here.
 * @throws AppError invalid_verification_code, too_many_requests.
 */
export async function resetPassword(
  parts: AccountParts,
  request: ResetPasswordRequest,
  client: Client,
  lang: Language,
): Promise<ResetAnswer> {
  return withFloor(parts.answerFloor, async () => {
    const opened = await requireRightCode(parts, client, () => useCode(parts, request, client));
    parts.sessionAccounts.drop();
    return {
      answer: {
        success: true,
        message: toAnswerText("password_changed", lang),
        session: toLoginAnswer(parts, opened, lang),
      },
      device: opened.device,
    };
  });
}
