import type { AccountSession } from "#contract/accounts/own-account.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Client, toActor } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { forgetDevices } from "../store.ts";
import { describeDevice } from "./devices.ts";
import {
  type EndReason,
  endSession,
  endSessions,
  LIVING,
  lockSession,
  SESSIONS,
  toLivingTimes,
} from "./store.ts";

/**
 * Notifies every process, at commit, that sessions of a person have ended. `accounts.session` is no content model, only a name
 * for notices: their ids are people's.
 */
export async function publishSessionsEnded(db: Queryable, userId: number): Promise<void> {
  await notifyChange(db, "accounts.session", toRowChange("deleted", [userId]));
}

/**
 * Ends every living session of a person, one perhaps excepted, in the caller's transaction. After commit the caller drops
 * `sessionAccounts`. `now` in milliseconds.
 */
export async function endAllSessions(
  db: Queryable,
  userId: number,
  reason: EndReason,
  now: number,
  exceptId?: string,
): Promise<number> {
  const ended = await endSessions(db, userId, reason, now, exceptId);
  await publishSessionsEnded(db, userId);
  return ended;
}

/** Ends the session of a refresh token, spent or not. What isn't a token or is over already is no fault: the person is out. */
export async function signOut(deps: AccountDeps, text: string, client: Client): Promise<void> {
  const token = deps.refreshTokens.parse(text);
  if (!token) return;
  const isEnded = await withTransaction(deps.pool, async (db) => {
    const session = await lockSession(db, token.sessionId);
    if (!session || session.ended_at !== null) return false;
    await endSession(db, token.sessionId, "signed_out", deps.clock());
    await recordAudit(db, toActor(session, client), { action: "LOGOUT" });
    await publishSessionsEnded(db, session.id);
    return true;
  });
  if (isEnded) deps.sessionAccounts.drop();
}

const MAX_LISTED = 200;

interface SessionRow {
  id: string;
  user_agent: string | null;
  ip_address: string | null;
  created_at: string;
  last_used_at: string;
}

/** The person's living sessions, last used first. */
export async function listOwnSessions(deps: AccountDeps, person: SignedIn): Promise<AccountSession[]> {
  const { rows } = await deps.pool.query<SessionRow>(
    `SELECT s.id, s.user_agent, s.ip_address, s.created_at, s.last_used_at FROM ${SESSIONS}
     WHERE s.user_id = $1 AND ${LIVING} ORDER BY s.id = $5 DESC, s.last_used_at DESC, s.id LIMIT ${MAX_LISTED}`,
    [person.userId, ...toLivingTimes(deps.clock(), deps.sessionRules), person.sessionId],
  );
  return rows.map(({ user_agent, ...row }) => ({
    ...row,
    device: describeDevice(user_agent),
    is_current: row.id === person.sessionId,
  }));
}

/** Ends one session of the person. @throws AppError object_not_found where it isn't theirs, or is over. */
export async function revokeOwnSession(deps: AccountDeps, person: SignedIn, id: string): Promise<void> {
  await withTransaction(deps.pool, async (db) => {
    const session = await lockSession(db, id);
    if (session?.id !== person.userId || session.ended_at !== null) throw new AppError("object_not_found");
    await endSession(db, id, "revoked", deps.clock());
    await recordAudit(db, person, { action: "LOGOUT", detail: "session_revoked" });
    await publishSessionsEnded(db, person.userId);
  });
  deps.sessionAccounts.drop();
}

/** Ends all sessions of the person, the one that asks among them, and forgets all browsers that they signed in with. */
export async function signOutEverywhere(deps: AccountDeps, person: SignedIn): Promise<void> {
  await withTransaction(deps.pool, async (db) => {
    await forgetDevices(db, person.userId);
    await endAllSessions(db, person.userId, "revoked", deps.clock());
    await recordAudit(db, person, { action: "LOGOUT", detail: "signed_out_everywhere" });
  });
  deps.sessionAccounts.drop();
}
