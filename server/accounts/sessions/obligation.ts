import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { isFactorRequired } from "./session-accounts.ts";
import { setFactorDue } from "./store.ts";

/** How long somebody who owes a second factor goes on without one. */
export const FACTOR_GRACE_MS = 7 * 24 * 60 * 60 * 1000;

type Owed = Pick<Account, "id" | "access_level" | "second_factor_due_at">;

/**
 * At each way in and each renewal: the time begins for who owes a factor since, and ends for who doesn't any more. Sessions that are
 * open already hear of it by a notice.
 * @returns the account as it is then; the same object where nothing changed.
 */
export async function noteObligation<Found extends Owed>(
  { factorLevel, clock }: AccountDeps,
  db: Queryable,
  account: Found,
): Promise<Found> {
  const isRequired = isFactorRequired(account.access_level, factorLevel);
  if (isRequired === (account.second_factor_due_at !== null)) return account;
  const dueAt = await setFactorDue(db, account.id, isRequired ? clock() + FACTOR_GRACE_MS : null);
  if (dueAt === account.second_factor_due_at) return account;
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  return { ...account, second_factor_due_at: dueAt };
}
