import { recordAudit } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { notifyChange, toRowChange } from "../db/change-notices.ts";
import { type Account, type Client, toActor } from "./account.ts";
import { findOwner, markProven } from "./claims/store.ts";
import { spendCode } from "./code-store.ts";
import { checkCode } from "./codes/check-code.ts";
import type { AccountParts } from "./deps.ts";
import { buildAddressChangedMail } from "./mails.ts";
import { removeOtherClaims } from "./remove-claims.ts";
import { findUserContentType } from "./store.ts";

/** The account as it is now, if it still waits for this address; nobody else changes it before the transaction ends. */
async function lockMover(
  db: Queryable,
  userId: number,
  email: string,
): Promise<(Pick<Account, "email" | "is_email_verified"> & { pending_email: string }) | undefined> {
  const { rows } = await db.query<{ email: string; is_email_verified: boolean; pending_email: string }>(
    `SELECT email, is_email_verified, pending_email FROM account_user
     WHERE id = $1 AND lower(pending_email) = $2 AND is_active FOR UPDATE`,
    [userId, email],
  );
  return rows[0];
}

/** The code for a new address was typed: the account moves there, and the old address hears of it. Runs with the address locked. */
export async function moveAddress(
  parts: AccountParts,
  db: Queryable,
  mover: Account,
  request: { email: string; code: string },
  client: Client,
): Promise<{ username: string; opened: undefined } | undefined> {
  const { email, code } = request;
  const right = await checkCode(parts, db, { purpose: "change_email", email }, code, client);
  const owner = await findOwner(db, email);
  if (right?.userId !== mover.id || (owner && owner.id !== mover.id)) return undefined;
  const before = await lockMover(db, mover.id, email);
  if (!before) return undefined;
  await spendCode(db, right.id);
  const account = await markProven(db, mover.id, before.pending_email);
  await removeOtherClaims(db, email, account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "change_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: {
      email: { before: before.email, after: account.email },
      // Says of the address before that it was only claimed.
      ...(!before.is_email_verified && { is_email_verified: { before: false, after: true } }),
    },
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  if (before.is_email_verified) {
    await parts.mail.queue(db, buildAddressChangedMail(account, before.email, parts.clock()));
  }
  return { username: account.username, opened: undefined };
}
