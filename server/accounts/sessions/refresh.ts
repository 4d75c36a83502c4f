import type pg from "pg";
import type { RefreshAnswer } from "#contract/accounts/accounts.ts";
import { raiseAlert, recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toActor } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { hashRefreshToken, type PresentedToken } from "../tokens/refresh-token.ts";
import { publishSessionsEnded } from "./end-sessions.ts";
import { noteObligation } from "./obligation.ts";
import {
  endSession,
  lockSession,
  rotateSession,
  type SessionAge,
  type SessionRules,
  type SessionWithAccount,
  toSessionEnd,
  toStoredClient,
} from "./store.ts";

const HOUR_MS = 60 * 60 * 1000;
/** How long a spent refresh token still answers: a page load may have lost the answer that replaced it. */
const REFRESH_GRACE_MS = 30_000;
/**
 * What a genuine refresh token is good for:
 * - `rotate`: it is the session's token: spend it, answer its successor.
 * - `keep`: it is the session's token and younger than the grace period: answer it again. So a session has at most one
 *   rotation in any 30 s, and "the one before" covers every token that was good 30 s ago (quick reloads, several tabs).
 * - `repeat`: it is the one before, spent less than 30 s ago: answer the same successor as the first time.
 * - `reuse`: it was spent longer ago: somebody holds a copy, so the session ends for both.
 * - `refuse`: the session is over.
 * - `aged`, `unused`: it is over by itself.
 */
export type RefreshDecision = "rotate" | "keep" | "repeat" | "reuse" | "refuse" | SessionAge;

/** Decides by the locked row. `now` in milliseconds. */
function decideRefresh(
  session: SessionWithAccount | undefined,
  presentedHash: string,
  now: number,
  rules: SessionRules,
): RefreshDecision {
  if (!session?.is_active || session.ended_at !== null) return "refuse";
  const end = toSessionEnd(session, rules);
  // Why it ended is told to whoever holds its own token.
  if (end.at <= now) return presentedHash === session.token_hash ? end.why : "refuse";
  const isGrace =
    session.rotated_at !== null && Math.abs(now - Date.parse(session.rotated_at)) < REFRESH_GRACE_MS;
  if (presentedHash === session.token_hash) return isGrace ? "keep" : "rotate";
  return isGrace && presentedHash === session.previous_token_hash ? "repeat" : "reuse";
}

type Outcome =
  | { kind: "good"; session: SessionWithAccount; refreshToken: string; isObligationNew?: boolean }
  | { kind: "refused"; why?: SessionAge }
  | { kind: "ended"; userId: number };

async function rotate(
  deps: AccountDeps,
  db: pg.PoolClient,
  token: PresentedToken,
  client: Client,
  now: number,
) {
  const [next] = deps.refreshTokens.buildSuccessors(token);
  await rotateSession(db, token.sessionId, {
    tokenHash: hashRefreshToken(next),
    now,
    client: toStoredClient(client),
  });
  return next;
}

/** The token that replaced this one; undefined when the key that made it was taken out meanwhile. */
function findSuccessor(
  deps: AccountDeps,
  token: PresentedToken,
  session: SessionWithAccount,
): string | undefined {
  return deps.refreshTokens
    .buildSuccessors(token)
    .find((next) => hashRefreshToken(next) === session.token_hash);
}

async function endForReuse(
  db: pg.PoolClient,
  token: PresentedToken,
  account: Account,
  client: Client,
  now: number,
): Promise<void> {
  await endSession(db, token.sessionId, "token_reuse", now);
  await recordAudit(db, toActor(account, client), { action: "LOGOUT", detail: "token_reuse" });
  await publishSessionsEnded(db, account.id);
  await raiseAlert(db, { kind: "token_reuse", userId: account.id, ipAddress: client.ipAddress });
}

/** Runs with the session's row locked, so that of parallel refreshes one rotates and the others see that it did. */
async function useToken(
  deps: AccountDeps,
  db: pg.PoolClient,
  token: PresentedToken,
  client: Client,
): Promise<Outcome> {
  const session = await lockSession(db, token.sessionId);
  const now = deps.clock();
  const decision = decideRefresh(session, token.hash, now, deps.sessionRules);
  if (!session || decision === "refuse") return { kind: "refused" };
  if (decision === "aged" || decision === "unused") return { kind: "refused", why: decision };
  switch (decision) {
    case "rotate": {
      const noted = await noteObligation(deps, db, session);
      const refreshToken = await rotate(deps, db, token, client, now);
      return { kind: "good", session: noted, refreshToken, isObligationNew: noted !== session };
    }
    case "keep":
      return { kind: "good", session, refreshToken: token.text };
    case "repeat": {
      const refreshToken = findSuccessor(deps, token, session);
      return refreshToken ? { kind: "good", session, refreshToken } : { kind: "refused" };
    }
    case "reuse":
      await endForReuse(db, token, session, client, now);
      return { kind: "ended", userId: session.id };
  }
}

/** Says for how long a session is good: else people take it for a fault. */
function toEndError(why: SessionAge, { lifetimeMs, consoleIdleMs }: SessionRules): AppError {
  return why === "aged"
    ? new AppError("session_aged", { vars: { days: Math.round(lifetimeMs / (24 * HOUR_MS)) } })
    : new AppError("session_unused", { vars: { hours: Math.round(consoleIdleMs / HOUR_MS) } });
}

/**
 * A new access token and the session's refresh token as it is now (`decideRefresh` says which).
 * @throws AppError invalid_refresh_token; session_aged, session_unused.
 */
export async function refresh(deps: AccountDeps, text: string, client: Client): Promise<RefreshAnswer> {
  const token = deps.refreshTokens.parse(text);
  if (!token) throw new AppError("invalid_refresh_token");
  const outcome = await withTransaction(deps.pool, (db) => useToken(deps, db, token, client));
  if (outcome.kind === "ended") {
    deps.sessionAccounts.drop();
    deps.log.warn(
      { userId: outcome.userId, requestId: client.requestId },
      "a spent refresh token came back: somebody holds a copy, so its session was ended",
    );
  }
  if (outcome.kind === "refused" && outcome.why) throw toEndError(outcome.why, deps.sessionRules);
  if (outcome.kind !== "good") throw new AppError("invalid_refresh_token");
  if (outcome.isObligationNew) deps.sessionAccounts.drop();
  return {
    access: deps.accessTokens.sign(
      outcome.session,
      token.sessionId,
      Date.parse(outcome.session.confirmed_at),
    ),
    refresh: outcome.refreshToken,
  };
}
