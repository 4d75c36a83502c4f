import type { Queryable } from "#server/db/pool.ts";
import { notifyChange, toRowChange } from "../db/change-notices.ts";
import { deleteOldClaims, deleteOtherClaims } from "./claims/store.ts";
import { type ForgottenAccount, forgetAccount } from "./forget-account.ts";

/** One after the other: they share a connection. */
async function forgetAll(db: Queryable, accounts: readonly ForgottenAccount[]): Promise<number> {
  for (const account of accounts) await forgetAccount(db, account);
  const ids = accounts.map(({ id }) => id);
  if (ids.length > 0) await notifyChange(db, "accounts.user", toRowChange("deleted", ids));
  return accounts.length;
}

/**
 * Takes away what was registered before a moment (in milliseconds), everywhere or where it holds a username, and who it was out
 * of the log, and tells of it; says how many.
 */
export async function removeOldClaims(db: Queryable, before: number, username?: string): Promise<number> {
  return forgetAll(db, await deleteOldClaims(db, before, username));
}

/** The same for all claims of an address, in lower case, that somebody else has proven now. */
export async function removeOtherClaims(db: Queryable, email: string, ownerId: number): Promise<void> {
  await forgetAll(db, await deleteOtherClaims(db, email, ownerId));
}
