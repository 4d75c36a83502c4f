import type { AccountSession } from "#contract/own-account.ts";
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../base/actor.ts";
import type { AccountParts } from "./deps.ts";
import { describeDevice } from "./describe-device.ts";
import { endAllSessions, tellSessionsEnded } from "./sessions/end-sessions.ts";
import { endSession, lockSession } from "./sessions/store.ts";
import { toMoment } from "./store.ts";

const MAX_LISTED = 200;

interface SessionRow {
  id: string;
  user_agent: string | null;
  ip_address: string | null;
  created_at: string;
  last_used_at: string;
}

/** The person's living sessions, last used first. */
export async function listOwnSessions(parts: AccountParts, person: SignedIn): Promise<AccountSession[]> {
  const { rows } = await parts.pool.query<SessionRow>(
    `SELECT id, user_agent, ip_address, created_at, last_used_at FROM account_session
     WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2
     ORDER BY id = $3 DESC, last_used_at DESC, id LIMIT ${MAX_LISTED}`,
    [person.userId, toMoment(parts.clock()), person.sessionId],
  );
  return rows.map(({ user_agent, ...row }) => ({
    ...row,
    device: describeDevice(user_agent),
    is_current: row.id === person.sessionId,
  }));
}

/** Ends one session of the person. @throws AppError object_not_found where it isn't theirs, or is over. */
export async function revokeOwnSession(parts: AccountParts, person: SignedIn, id: string): Promise<void> {
  await withTransaction(parts.pool, async (db) => {
    const session = await lockSession(db, id);
    if (session?.id !== person.userId || session.ended_at !== null) throw new AppError("object_not_found");
    await endSession(db, id, "revoked", parts.clock());
    await recordAudit(db, person, { action: "LOGOUT", detail: "session_revoked" });
    await tellSessionsEnded(db, person.userId);
  });
  parts.sessionAccounts.drop();
}

/** Ends all sessions of the person, the one that asks among them. */
export async function signOutEverywhere(parts: AccountParts, person: SignedIn): Promise<void> {
  await withTransaction(parts.pool, async (db) => {
    await endAllSessions(db, person.userId, "revoked", parts.clock());
    await recordAudit(db, person, { action: "LOGOUT", detail: "signed_out_everywhere" });
  });
  parts.sessionAccounts.drop();
}
