import { recordAudit } from "#server/audit/service.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Client, toActor } from "./account.ts";
import type { AccountParts } from "./deps.ts";
import { tellSessionsEnded } from "./sessions/end-sessions.ts";
import { endSession, lockSession } from "./sessions/store.ts";

/** Ends the session of a refresh token, spent or not. What isn't a token or is over already is no fault: the person is out. */
export async function signOut(parts: AccountParts, text: string, client: Client): Promise<void> {
  const token = parts.refreshTokens.parse(text);
  if (!token) return;
  const isEnded = await withTransaction(parts.pool, async (db) => {
    const session = await lockSession(db, token.sessionId);
    if (!session || session.ended_at !== null) return false;
    await endSession(db, token.sessionId, "signed_out", parts.clock());
    await recordAudit(db, toActor(session, client), { action: "LOGOUT" });
    await tellSessionsEnded(db, session.id);
    return true;
  });
  if (isEnded) parts.sessionAccounts.drop();
}
