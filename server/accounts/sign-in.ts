import { randomUUID } from "node:crypto";
import type { LoginAnswer, LoginRequest } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { recordAudit } from "#server/audit/service.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { AppError } from "#server/http/errors.ts";
import { type Account, type Client, toAccountUser, toActor } from "./account.ts";
import type { AccountParts } from "./parts.ts";
import { SESSION_LIFETIME_MS } from "./refresh-decision.ts";
import { hashRefreshToken } from "./refresh-token.ts";
import { toStorableText } from "./storable-text.ts";
import { findCredentials, insertSession, markSignedIn } from "./store.ts";

const AUDITED_USERNAME_CHARS = 100;
const USER_AGENT_CHARS = 300;

interface OpenedSession {
  account: Account;
  sessionId: string;
  refreshToken: string;
}

/** Opens a session; undefined when the account is suspended or its password changed while it was compared. */
async function openSession(
  parts: AccountParts,
  compared: { id: number; password_hash: string },
  client: Client,
): Promise<OpenedSession | undefined> {
  return withTransaction(parts.pool, async (db) => {
    const now = parts.clock();
    const account = await markSignedIn(db, compared, now);
    if (!account) return undefined;
    const sessionId = randomUUID();
    const refreshToken = parts.refreshTokens.issue(sessionId);
    const userAgent = client.userAgent === null ? null : toStorableText(client.userAgent, USER_AGENT_CHARS);
    await insertSession(db, {
      id: sessionId,
      userId: account.id,
      tokenHash: hashRefreshToken(refreshToken),
      now,
      expiresAt: now + SESSION_LIFETIME_MS,
      client: { ...client, userAgent },
    });
    await recordAudit(db, toActor(account, client), { action: "LOGIN" });
    return { account, sessionId, refreshToken };
  });
}

/** Unknown username, wrong password and suspended account take the same steps and answer the same. */
async function compareAndOpen(
  parts: AccountParts,
  username: string,
  password: string,
  client: Client,
): Promise<OpenedSession> {
  const known = await findCredentials(parts.pool, username);
  const isRight = known
    ? await parts.passwords.verify(known.password_hash, password)
    : await parts.passwords.verifyAgainstNothing(password);
  const opened = known && isRight ? await openSession(parts, known, client) : undefined;
  if (opened) return opened;
  const actor = {
    userId: known?.id ?? null,
    username: toStorableText(username, AUDITED_USERNAME_CHARS),
    level: 0,
    ipAddress: client.ipAddress,
    requestId: client.requestId,
  };
  await recordAudit(parts.pool, actor, { action: "LOGIN", detail: "failed_sign_in" });
  throw new AppError("invalid_credentials");
}

/** @throws AppError invalid_credentials, too_many_logins. */
export async function signIn(
  parts: AccountParts,
  credentials: LoginRequest,
  client: Client,
  lang: Language,
): Promise<LoginAnswer> {
  const username = toStorableText(credentials.username.trim(), LIMITS.emailMaxChars);
  const opened = await parts.limits.attempt({ username, ipAddress: client.ipAddress }, () =>
    compareAndOpen(parts, username, credentials.password, client),
  );
  return {
    tokens: {
      access_token: parts.accessTokens.sign(opened.account, opened.sessionId),
      refresh_token: opened.refreshToken,
    },
    user: toAccountUser(opened.account, lang),
  };
}
