import { randomUUID } from "node:crypto";
import type { LoginAnswer } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, type Client, toAccountUser, toActor } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import type { DeviceCookie } from "./devices.ts";
import { noteObligation } from "./obligation.ts";
import { insertSession, toStoredClient } from "./store.ts";

/** A session that was opened in a transaction: good once that commits. */
export interface OpenedSession {
  account: Account;
  sessionId: string;
  refreshToken: string;
  device: DeviceCookie;
}

/** What a call that signs in answers, and the cookie that goes with it. */
export interface SignedInAnswer {
  answer: LoginAnswer;
  device: DeviceCookie;
}

/** A way in that isn't a password alone; the log says it. */
export type WayIn = "verify_email" | "password_reset" | "setup" | "app_code" | "recovery_code" | "passkey";

const FACTOR_WAYS: ReadonlySet<WayIn> = new Set(["app_code", "recovery_code", "passkey"]);

/** Opens a session and says so in the audit; Whoever calls it has asked for all that the account asks for. */
export async function openSession(
  deps: AccountDeps,
  db: Queryable,
  owner: { account: Account; device: DeviceCookie },
  client: Client,
  detail?: WayIn,
): Promise<OpenedSession> {
  const sessionId = randomUUID();
  const { text: refreshToken, hash: tokenHash } = deps.refreshTokens.issue(sessionId);
  const now = deps.clock();
  await insertSession(db, {
    id: sessionId,
    userId: owner.account.id,
    tokenHash,
    now,
    expiresAt: now + deps.sessionRules.lifetimeMs,
    client: toStoredClient(client),
    hasShownFactor: detail !== undefined && FACTOR_WAYS.has(detail),
  });
  await recordAudit(db, toActor(owner.account, client), { action: "LOGIN", ...(detail && { detail }) });
  const account = await noteObligation(deps, db, owner.account);
  return { ...owner, account, sessionId, refreshToken };
}

/** Tokens and the person (specification A section 3, login response). */
export function toLoginAnswer(deps: AccountDeps, opened: OpenedSession, lang: Language): LoginAnswer {
  return {
    tokens: {
      access_token: deps.accessTokens.sign(opened.account, opened.sessionId),
      refresh_token: opened.refreshToken,
    },
    user: toAccountUser(opened.account, lang),
  };
}
