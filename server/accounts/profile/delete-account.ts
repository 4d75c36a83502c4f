import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { recordAudit, toPseudonym } from "#server/audit/service.ts";
import { type SignedIn, SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Account, Client } from "../account.ts";
import { lockAddresses } from "../codes/store.ts";
import { eraseAccount } from "../erase-account.ts";
import { requireOtherSuperuser } from "../owners.ts";
import { confirmPassword } from "../passwords/confirm-password.ts";
import { findUserContentType } from "../store.ts";
import type { ProfileDeps } from "./deps.ts";
import { dropPictures } from "./pictures.ts";
import { findOwnAccount, lockOwnAccount, type OwnAccount } from "./store.ts";

async function erase(
  deps: ProfileDeps,
  db: Queryable,
  person: SignedIn,
  passwordHash: string,
): Promise<OwnAccount> {
  const found = await findOwnAccount(db, person.userId);
  if (!found) throw new AppError("session_expired");
  await lockAddresses(db, [found.email, found.pending_email ?? found.email]);
  if (person.level >= ACCESS_LEVEL.superuser) await requireOtherSuperuser(db, person.userId);
  const account = await lockOwnAccount(db, person.userId);
  if (!account) throw new AppError("session_expired");
  const contentTypeId = await findUserContentType(db);
  const erasing = { mail: deps.mail, clock: deps.accounts.clock };
  if (!(await eraseAccount(erasing, db, account, passwordHash))) throw new AppError("session_expired");
  const pseudonym = toPseudonym(account.id);
  const actor = { ...SYSTEM_ACTOR, userId: account.id, username: pseudonym };
  await recordAudit(db, actor, {
    action: "DELETE",
    detail: "account_deleted",
    contentTypeId,
    objectId: account.id,
    objectRepr: pseudonym,
  });
  await notifyChange(db, "accounts.user", toRowChange("deleted", [account.id]));
  return account;
}

/**
 * Deletes a person's own account for good. What others need of it stays without what says who it was: the log's entries, under
 * a pseudonym, and the outbox's rows.
 * @throws AppError validation_failed at `password`, too_many_logins, last_superuser, session_expired.
 */
export async function deleteOwnAccount(
  deps: ProfileDeps,
  person: SignedIn,
  password: string,
  client: Client,
): Promise<void> {
  const { accounts } = deps;
  const passwordHash = await confirmPassword(accounts, person, password, "password", client);
  const account = await withTransaction(accounts.pool, (db) => erase(deps, db, person, passwordHash));
  accounts.sessionAccounts.drop();
  await dropFilesOf(deps, account);
}

/**
 * After commit: removes the pictures of an account that is gone, and the files of its mails. A failure goes to the log alone,
 * and the daily housekeeping finds the files.
 */
export async function dropFilesOf(
  deps: Pick<ProfileDeps, "accounts" | "portraits" | "deleteForgottenMailFiles">,
  account: Pick<Account, "avatar" | "cover">,
): Promise<void> {
  await dropPictures(deps, [account.avatar, account.cover]);
  await deps.deleteForgottenMailFiles().catch((error: unknown) => {
    deps.accounts.log.warn({ err: error }, "the files of a deleted account's mails could not be removed");
  });
}
