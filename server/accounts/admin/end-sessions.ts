import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { AccountDeps } from "../deps.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { requireRecent } from "../sessions/recent.ts";
import { countLivingSessions } from "../sessions/store.ts";
import { findUserContentType, forgetDevices } from "../store.ts";
import { findManaged } from "./store.ts";
import { requireReach, requireWriter } from "./write-rules.ts";

/**
 * Ends all sessions of somebody, at once and on open sockets too, and forgets the browsers that they signed in with: of people below
 * the caller's level, and of everybody for a superuser.
 * @returns how many ended. @throws AppError object_not_found, permission_denied, step_up_required.
 */
export async function endSessionsOf(deps: AccountDeps, id: number, actor: SignedIn): Promise<number> {
  const ended = await withTransaction(deps.pool, async (db) => {
    const writer = await requireWriter(db, actor);
    const account = await findManaged(db, id);
    if (!account) throw new AppError("object_not_found");
    requireReach(writer, account.access_level);
    const isPeer = account.access_level === writer.level && id !== writer.userId;
    if (isPeer && writer.level < ACCESS_LEVEL.superuser)
      throw new AppError("permission_denied", { fields: [{ field: "id", code: "peer_protected" }] });
    await requireRecent({ pool: db, clock: deps.clock }, actor);
    await forgetDevices(db, id);
    const count = await countLivingSessions(db, id, deps.clock(), deps.sessionRules);
    await endAllSessions(db, id, "revoked", deps.clock());
    await recordAudit(db, actor, {
      action: "UPDATE",
      detail: "sessions_ended",
      contentTypeId: await findUserContentType(db),
      objectId: id,
      objectRepr: account.username,
    });
    return count;
  });
  deps.sessionAccounts.drop();
  return ended;
}
