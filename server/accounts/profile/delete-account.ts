import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { LIMITS } from "#contract/limits.ts";
import { recordAudit } from "#server/audit/service.ts";
import { notifyChange } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "#server/http/bearer.ts";
import { AppError } from "#server/http/errors.ts";
import { SYSTEM_ACTOR } from "#server/models/actor.ts";
import type { Client } from "../account.ts";
import { lockAddress } from "../code-store.ts";
import { confirmPassword } from "../confirm-password.ts";
import { forgetAccount } from "../forget-account.ts";
import { findUserContentType } from "../store.ts";
import { deleteAccount, lockSuperusers } from "./delete-store.ts";
import type { ProfileParts } from "./parts.ts";
import { findOwnAccount, lockOwnAccount, type OwnAccount } from "./store.ts";
import { dropPictures } from "./store-pictures.ts";

async function requireOtherSuperuser(db: Queryable, userId: number): Promise<void> {
  const superusers = await lockSuperusers(db);
  if (superusers.every((id) => id === userId)) throw new AppError("last_superuser");
}

/** Before the account's row, in the order in which codes lock them; always in the same order, so that no two wait for each other. */
async function lockAddresses(db: Queryable, { email, pending_email }: OwnAccount): Promise<void> {
  const addresses = [email, pending_email ?? email].map((address) => address.toLowerCase());
  for (const address of addresses.sort()) await lockAddress(db, address);
}

/**
 * Mails and log first: they are found by the account's number, which the row takes along. Mails that went to an address for
 * another reason than the account go with it only where the address is proven: anybody can claim anybody's.
 */
async function erase(
  parts: ProfileParts,
  db: Queryable,
  person: SignedIn,
  passwordHash: string,
): Promise<OwnAccount> {
  const found = await findOwnAccount(db, person.userId);
  if (!found) throw new AppError("session_expired");
  await lockAddresses(db, found);
  if (person.level >= ACCESS_LEVEL.superuser) await requireOtherSuperuser(db, person.userId);
  const account = await lockOwnAccount(db, person.userId);
  if (!account) throw new AppError("session_expired");
  const contentTypeId = await findUserContentType(db);
  const { earlierAddresses } = await forgetAccount(db, account);
  const proven = account.is_email_verified ? [account.email.toLowerCase(), ...earlierAddresses] : [];
  await parts.mail.forgetPerson(db, { userId: account.id, addresses: proven });
  const sentBefore = parts.accounts.clock() - LIMITS.codeResendCooldownS * 1000;
  if (!(await deleteAccount(db, { id: account.id, passwordHash, proven, sentBefore })))
    throw new AppError("session_expired");
  await recordAudit(db, SYSTEM_ACTOR, {
    action: "DELETE",
    detail: "account_deleted",
    contentTypeId,
    objectId: account.id,
  });
  await notifyChange(db, "accounts.user");
  await notifyChange(db, "accounts.session");
  return account;
}

/** A failure is told in the log alone: the account is gone, and the daily housekeeping finds the files. */
async function dropMailFiles({ deleteForgottenMailFiles, accounts }: ProfileParts): Promise<void> {
  await deleteForgottenMailFiles().catch((error: unknown) => {
    accounts.log.warn({ err: error }, "the files of a deleted account's mails could not be removed");
  });
}

/**
 * Deletes a person's own account for good. What others need of it stays without what says who it was: the log's entries and
 * the outbox's rows.
 * @throws AppError validation_failed at `password`, too_many_logins, last_superuser, session_expired.
 */
export async function deleteOwnAccount(
  parts: ProfileParts,
  person: SignedIn,
  password: string,
  client: Client,
): Promise<void> {
  const { accounts } = parts;
  const passwordHash = await confirmPassword(accounts, person, password, "password", client);
  const account = await withTransaction(accounts.pool, (db) => erase(parts, db, person, passwordHash));
  accounts.sessionAccounts.drop();
  await dropPictures(parts, [account.avatar, account.cover]);
  await dropMailFiles(parts);
}
