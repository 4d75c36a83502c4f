import type { Language } from "#contract/languages.ts";
import type { OwnMailAddress } from "#contract/mail/address.ts";
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { AddressOwner } from "#server/mail/service.ts";
import type { SignedIn } from "../../base/actor.ts";
import { type Account, toMailLanguage } from "../account.ts";
import { findUserContentType } from "../store.ts";
import type { ProfileDeps } from "./deps.ts";
import { findOwnAccount, lockOwnAccount } from "./store.ts";

function toOwner(account: Account): AddressOwner {
  const { id: userId, username, email, is_email_verified: isProven } = account;
  return { userId, username, email, isProven, mailLanguage: toMailLanguage(account) };
}

/** Whether mail reaches the person. @throws AppError session_expired. */
export async function getMailAddress(
  { accounts: { pool }, ownAddress }: ProfileDeps,
  person: SignedIn,
  lang: Language,
): Promise<OwnMailAddress> {
  const account = await findOwnAccount(pool, person.userId);
  if (!account) throw new AppError("session_expired");
  return ownAddress.get(pool, toOwner(account), lang);
}

/**
 * Lets mail to the person through again and sends one.
 * @throws AppError session_expired, permission_denied (staff stopped it), too_many_requests (one an hour, three a day).
 */
export async function tryMailAddress(
  deps: ProfileDeps,
  person: SignedIn,
  lang: Language,
): Promise<OwnMailAddress> {
  const { accounts, ownAddress } = deps;
  await withTransaction(accounts.pool, async (db) => {
    const account = await lockOwnAccount(db, person.userId);
    if (!account) throw new AppError("session_expired");
    if (!(await ownAddress.tryAgain(db, toOwner(account), person))) return;
    await recordAudit(db, person, {
      action: "UPDATE",
      detail: "try_address",
      contentTypeId: await findUserContentType(db),
      objectId: account.id,
      objectRepr: account.username,
    });
  });
  return getMailAddress(deps, person, lang);
}
