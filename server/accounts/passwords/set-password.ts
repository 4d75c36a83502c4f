import { recordAudit } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, type Client, toActor } from "../account.ts";
import { spendResetCodes } from "../code-store.ts";
import { updatePassword } from "../credential-store.ts";
import type { AccountParts } from "../deps.ts";
import { buildPasswordChangedMail } from "../mails.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { findUserContentType } from "../store.ts";

/**
 * Sets a password, ends the sessions and codes that were good with the one before, tells the audit and, by mail, the person.
 * Undefined when the account is suspended or gone, or its password no longer the one that was compared.
 */
export async function setPassword(
  parts: AccountParts,
  db: Queryable,
  given: {
    userId: number;
    passwordHash: string;
    compared: string | null;
    detail: "change_password" | "password_reset";
    keptSessionId?: string;
  },
  client: Client,
): Promise<Account | undefined> {
  // Codes before the account, in the order in which a typed code locks them.
  await spendResetCodes(db, given.userId);
  const account = await updatePassword(db, given.userId, given.passwordHash, given.compared);
  if (!account) return undefined;
  const now = parts.clock();
  await endAllSessions(db, account.id, "password_changed", now, given.keptSessionId);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: given.detail,
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  if (account.is_email_verified) await parts.mail.queue(db, buildPasswordChangedMail(account, now));
  return account;
}
