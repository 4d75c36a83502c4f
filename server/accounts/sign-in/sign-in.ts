import type { LoginRequest } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { recordAudit, toUnknownName } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import { toStorableText } from "#server/db/sql.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "../account.ts";
import { logRefusal } from "../answers.ts";
import type { AccountDeps } from "../deps.ts";
import { requireNoFactor } from "../factors/ask.ts";
import type { RelyingParty } from "../factors/passkeys.ts";
import type { Visitor } from "../sessions/devices.ts";
import { type OpenedSession, type SignedInAnswer, toLoginAnswer } from "../sessions/open-session.ts";
import { findCredentials, renewHash } from "../store.ts";
import { enterAccount } from "./enter-account.ts";
import type { Guesser } from "./limits.ts";

const AUDITED_USERNAME_CHARS = 100;

/** Why somebody with the right password gets no session; the log calls it the same. */
const KEPT_OUT = ["insufficient_permissions", "account_waiting", "account_refused"] as const;

/** What the log calls a visitor: their account, else next to nothing of what they typed. */
function toAudited(known: { id: number; username: string } | undefined, typed: string) {
  return { userId: known?.id ?? null, username: known?.username ?? toUnknownName(typed) };
}

async function recordRefused(
  deps: AccountDeps,
  given: { userId: number | null; username: string | null },
  client: Client,
  detail: "failed_sign_in" | "too_many_sign_ins" | (typeof KEPT_OUT)[number],
): Promise<void> {
  const actor = {
    userId: given.userId,
    username: given.username && toStorableText(given.username, AUDITED_USERNAME_CHARS),
    level: 0,
    ipAddress: client.ipAddress,
    requestId: client.requestId,
  };
  await recordAudit(deps.pool, actor, { action: "LOGIN", detail });
}

/** Unknown username or address, wrong password and suspended account take the same steps and answer the same. */
async function compareAndEnter(
  deps: AccountDeps,
  username: string,
  password: string,
  visitor: Visitor,
  site: RelyingParty | undefined,
): Promise<OpenedSession> {
  const known = await findCredentials(deps.pool, username);
  const isRight = known
    ? await deps.passwords.verify(known.password_hash, password)
    : await deps.passwords.verifyAgainstNothing(password);
  if (known && isRight) {
    const isOutdated = deps.passwords.isOutdated(known.password_hash);
    const newHash = isOutdated ? await deps.passwords.hash(password) : null;
    // By itself: what follows may be taken back, as where a second factor is asked for first.
    if (newHash) await renewHash(deps.pool, known, newHash);
    const current = { ...known, password_hash: newHash ?? known.password_hash };
    const entered = await withTransaction(deps.pool, (db) =>
      enterAccount(deps, db, known, visitor, {
        newHash,
        beforeSession: () => requireNoFactor(deps, db, current, { site, area: visitor.area }),
      }),
    ).catch(async (error: unknown) => {
      const reason = KEPT_OUT.find((code) => error instanceof AppError && error.code === code);
      if (reason) await recordRefused(deps, toAudited(known, username), visitor, reason);
      throw error;
    });
    if (entered) return entered;
  }
  await recordRefused(deps, toAudited(known, username), visitor, "failed_sign_in");
  throw new AppError("invalid_credentials");
}

/** Whose wrong passwords these would be; costs a query only where the browser sent a mark of a known device. */
async function findGuesser(deps: AccountDeps, username: string, visitor: Visitor): Promise<Guesser> {
  const known = visitor.cookies.size > 0 ? await findCredentials(deps.pool, username) : undefined;
  const nonce = known && deps.knownDevices.find(visitor.cookies, known);
  return known && nonce
    ? { kind: "device", userId: known.id, nonce }
    : { kind: "stranger", username, ipAddress: visitor.ipAddress };
}

/** @throws AppError second_factor_required, invalid_credentials, too_many_logins, insufficient_permissions, account_waiting, account_refused. */
export async function signIn(
  deps: AccountDeps,
  credentials: LoginRequest,
  visitor: Visitor,
  site: RelyingParty | undefined,
  lang: Language,
): Promise<SignedInAnswer> {
  const username = toStorableText(credentials.username.trim(), LIMITS.emailMaxChars);
  const guesser = await findGuesser(deps, username, visitor);
  const onFirstRefusal = async () => {
    const known = await findCredentials(deps.pool, username);
    await recordRefused(deps, toAudited(known, username), visitor, "too_many_sign_ins");
  };
  const opened = await deps.bursts.count(username, visitor.ipAddress, () =>
    logRefusal(deps, visitor, () =>
      deps.limits.attempt(guesser, { wrong: "invalid_credentials", onFirstRefusal }, () =>
        compareAndEnter(deps, username, credentials.password, visitor, site),
      ),
    ),
  );
  return { answer: toLoginAnswer(deps, opened, lang), device: opened.device };
}
