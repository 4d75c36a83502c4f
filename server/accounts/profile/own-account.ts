import type { OwnProfile } from "#contract/own-account.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, toAccountProfile } from "../account.ts";
import { findOwnAccount } from "./store.ts";

export function toOwnProfile(account: Account): OwnProfile {
  return {
    ...toAccountProfile(account),
    username: account.username,
    email: account.email,
    pending_email: account.pending_email,
  };
}

/** Read from the database, not from what is kept of sessions: who waits for another device's change sees it. */
export async function getOwnProfile(db: Queryable, userId: number): Promise<OwnProfile> {
  const account = await findOwnAccount(db, userId);
  if (!account) throw new AppError("session_expired");
  return toOwnProfile(account);
}
