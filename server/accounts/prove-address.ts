import { recordAudit } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { notifyChange, toRowChange } from "../db/change-notices.ts";
import { type Account, type Client, toActor } from "./account.ts";
import { markProven } from "./claims/store.ts";
import { removeOtherClaims } from "./remove-claims.ts";
import { findUserContentType } from "./store.ts";

/** A code has shown that the address is the account's: other claims of it go, and the log is told. The address is locked. */
export async function proveAddress(
  db: Queryable,
  claim: Pick<Account, "id" | "email">,
  client: Client,
): Promise<Account> {
  const account = await markProven(db, claim.id, claim.email);
  await removeOtherClaims(db, account.email.toLowerCase(), account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "verify_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: { is_email_verified: { before: false, after: true } },
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  return account;
}
