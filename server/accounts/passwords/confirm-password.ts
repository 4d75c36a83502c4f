import { LIMITS } from "#contract/limits.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Client } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { findPasswordHash } from "../store.ts";

function toFault(field: string, code: string): AppError {
  return new AppError("validation_failed", { fields: [{ field, code }] });
}

/**
 * Lets a signed-in person go on only with their password, which `field` of the request holds. Wrong ones are counted for the
 * session, so that whoever took one over neither guesses on nor locks the owner out.
 * @returns the hash that it was compared with. @throws AppError validation_failed at the field, too_many_logins.
 */
export async function confirmPassword(
  deps: AccountDeps,
  person: SignedIn,
  password: string,
  field: string,
  client: Client,
): Promise<string> {
  if (password === "") throw toFault(field, "password_required");
  const actor = { ...person, ipAddress: client.ipAddress, requestId: client.requestId };
  const record = (detail: string) => recordAudit(deps.pool, actor, { action: "LOGIN", detail });
  return deps.limits.attempt(
    { kind: "session", userId: person.userId, sessionId: person.sessionId },
    { wrong: "validation_failed", onFirstRefusal: () => record("too_many_confirmations") },
    async () => {
      const kept = await findPasswordHash(deps.pool, person.userId);
      if (kept === undefined) throw new AppError("session_expired");
      const isRight =
        password.length <= LIMITS.typedPasswordMaxChars && (await deps.passwords.verify(kept, password));
      if (isRight) return kept;
      await record("failed_confirmation");
      throw toFault(field, "wrong_password");
    },
  );
}
