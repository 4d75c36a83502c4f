import { hasAdminAccess, type LoginRequest, notificationPreferences } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { recordAudit, toDomainAlone } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toStorableText } from "#server/db/sql.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Account, Client } from "../account.ts";
import { logRefusal } from "../answers.ts";
import type { AccountDeps } from "../deps.ts";
import { buildNewSignInMail } from "../mails.ts";
import { describeDevice, type Visitor } from "../sessions/devices.ts";
import {
  type OpenedSession,
  openSession,
  type SignedInAnswer,
  toLoginAnswer,
} from "../sessions/open-session.ts";
import { type Credentials, findCredentials, markSignedIn, requireAdmitted } from "../store.ts";
import type { Guesser } from "./limits.ts";

const AUDITED_USERNAME_CHARS = 100;

/** Why somebody with the right password gets no session; the log calls it the same. */
const KEPT_OUT = ["insufficient_permissions", "account_waiting", "account_refused"] as const;

/**
 * Undefined when the account is suspended or its password changed while it was compared.
 * @throws AppError insufficient_permissions, account_waiting, account_refused; nothing of the log-in stays then.
 */
async function enter(
  deps: AccountDeps,
  compared: Credentials,
  newHash: string | null,
  visitor: Visitor,
): Promise<OpenedSession | undefined> {
  return withTransaction(deps.pool, async (db) => {
    const account = await markSignedIn(db, compared, newHash, deps.clock());
    if (!account) {
      await requireAdmitted(db, compared);
      return undefined;
    }
    if (visitor.area === "admin" && !hasAdminAccess(account.access_level)) {
      throw new AppError("insufficient_permissions");
    }
    const { knownDevices } = deps;
    const isKnown = knownDevices.find(visitor.cookies, compared.id, compared.password_hash) !== undefined;
    const kept = isKnown && !newHash ? visitor.cookies.get(compared.id) : undefined;
    const device = kept
      ? { userId: compared.id, value: kept }
      : knownDevices.issue(compared.id, newHash ?? compared.password_hash);
    if (!isKnown) await notifyOfNewDevice(deps, db, account, visitor);
    return openSession(deps, db, { account, device }, visitor);
  });
}

/** What the log calls a visitor: their account, else what they typed, of an address its domain alone. */
function toAudited(known: { id: number; username: string } | undefined, typed: string) {
  return { userId: known?.id ?? null, username: known?.username ?? toDomainAlone(typed) };
}

async function recordRefused(
  deps: AccountDeps,
  given: { userId: number | null; username: string },
  client: Client,
  detail: "failed_sign_in" | "too_many_sign_ins" | (typeof KEPT_OUT)[number],
): Promise<void> {
  const actor = {
    userId: given.userId,
    username: toStorableText(given.username, AUDITED_USERNAME_CHARS),
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
): Promise<OpenedSession> {
  const known = await findCredentials(deps.pool, username);
  const isRight = known
    ? await deps.passwords.verify(known.password_hash, password)
    : await deps.passwords.verifyAgainstNothing(password);
  if (known && isRight) {
    const isOutdated = deps.passwords.isOutdated(known.password_hash);
    const newHash = isOutdated ? await deps.passwords.hash(password) : null;
    const entered = await enter(deps, known, newHash, visitor).catch(async (error: unknown) => {
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
  const nonce = known && deps.knownDevices.find(visitor.cookies, known.id, known.password_hash);
  return known && nonce
    ? { kind: "device", userId: known.id, nonce }
    : { kind: "stranger", username, ipAddress: visitor.ipAddress };
}

/** @throws AppError invalid_credentials, too_many_logins, insufficient_permissions, account_waiting, account_refused. */
export async function signIn(
  deps: AccountDeps,
  credentials: LoginRequest,
  visitor: Visitor,
  lang: Language,
): Promise<SignedInAnswer> {
  const username = toStorableText(credentials.username.trim(), LIMITS.emailMaxChars);
  const guesser = await findGuesser(deps, username, visitor);
  const onFirstRefusal = async () => {
    const known = await findCredentials(deps.pool, username);
    await recordRefused(deps, toAudited(known, username), visitor, "too_many_sign_ins");
  };
  const opened = await logRefusal(deps, visitor, () =>
    deps.limits.attempt(guesser, { wrong: "invalid_credentials", onFirstRefusal }, () =>
      compareAndEnter(deps, username, credentials.password, visitor),
    ),
  );
  return { answer: toLoginAnswer(deps, opened, lang), device: opened.device };
}

/**
 * Notifies a person by mail that somebody signed in where nobody did before: never of the first time, nor to an unproven address,
 * and five times an hour at the most.
 */
async function notifyOfNewDevice(
  deps: AccountDeps,
  db: Queryable,
  account: Account & { previous_login_at: string | null },
  client: Client,
): Promise<void> {
  const wants = notificationPreferences.parse(account.notification_preferences).new_sign_in;
  if (!wants || account.previous_login_at === null || !account.is_email_verified) return;
  if (!deps.callLimits.takeMail("new_sign_in", String(account.id))) return;
  const where = { device: describeDevice(client.userAgent), ipAddress: client.ipAddress ?? "" };
  await deps.mail.queue(db, buildNewSignInMail(account, where, deps.clock()));
}
