import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { forgetPerson, recordAudit } from "#server/audit/service.ts";
import { notifyChange } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "#server/http/bearer.ts";
import { AppError } from "#server/http/errors.ts";
import { SYSTEM_ACTOR } from "#server/models/actor.ts";
import type { Client } from "../account.ts";
import { confirmPassword } from "../confirm-password.ts";
import { findUserContentType } from "../store.ts";
import { deleteAccount, lockSuperusers } from "./delete-store.ts";
import type { ProfileParts } from "./parts.ts";
import { lockOwnAccount, type OwnAccount } from "./store.ts";
import { dropPictures } from "./store-pictures.ts";

async function requireOtherSuperuser(db: Queryable, userId: number): Promise<void> {
  const superusers = await lockSuperusers(db);
  if (superusers.every((id) => id === userId)) throw new AppError("last_superuser");
}

function toAddresses({ email, pending_email }: OwnAccount): string[] {
  return [email, pending_email].filter((address) => address !== null).map((address) => address.toLowerCase());
}

/** Mails and log first: they are found by the account's number, which the row takes along. */
async function erase(
  parts: ProfileParts,
  db: Queryable,
  person: SignedIn,
  passwordHash: string,
): Promise<OwnAccount> {
  if (person.level >= ACCESS_LEVEL.superuser) await requireOtherSuperuser(db, person.userId);
  const account = await lockOwnAccount(db, person.userId);
  if (!account) throw new AppError("session_expired");
  const contentTypeId = await findUserContentType(db);
  const addresses = toAddresses(account);
  await parts.mail.forgetPerson(db, account.id);
  await forgetPerson(db, { userId: account.id, contentTypeId, names: [account.username, ...addresses] });
  if (!(await deleteAccount(db, { id: account.id, passwordHash, addresses })))
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
}
