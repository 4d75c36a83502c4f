import type { ChangePasswordRequest, DoneAnswer } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../base/actor.ts";
import type { Client } from "./account.ts";
import { toAnswerText } from "./answers.ts";
import type { AccountParts } from "./deps.ts";
import { confirmPassword } from "./passwords/confirm-password.ts";
import { setPassword } from "./passwords/set-password.ts";
import type { DeviceCookie } from "./sessions/devices.ts";

/**
 * Changes the signed-in person's password; all their other sessions end.
 * @throws AppError validation_failed at `current_password`, too_many_logins, session_expired.
 */
export async function changePassword(
  parts: AccountParts,
  person: SignedIn,
  request: ChangePasswordRequest,
  client: Client,
  lang: Language,
): Promise<{ answer: DoneAnswer; device: DeviceCookie }> {
  const compared = await confirmPassword(parts, person, request.current_password, "current_password", client);
  const passwordHash = await parts.passwords.hash(request.new_password);
  const { userId, sessionId } = person;
  const detail = "change_password";
  const change = { userId, passwordHash, compared, detail, keptSessionId: sessionId } as const;
  await withTransaction(parts.pool, async (db) => {
    // Suspended, or changed from elsewhere, since the guard looked: that ended this session too.
    if (!(await setPassword(parts, db, change, client))) throw new AppError("session_expired");
  });
  parts.sessionAccounts.drop();
  return {
    answer: { success: true, message: toAnswerText("password_changed", lang) },
    device: parts.knownDevices.issue(userId, passwordHash),
  };
}
