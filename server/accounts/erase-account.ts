import { LIMITS } from "#contract/limits.ts";
import { forgetPerson } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailService } from "#server/mail/service.ts";
import { deleteCodesOf } from "./codes/store.ts";
import { type ForgottenAccount, forgetAccount } from "./forget-in-log.ts";
import { publishSessionsEnded } from "./sessions/end-sessions.ts";
import { deleteAccount, findUserContentType } from "./store.ts";

interface EraseDeps {
  mail: Pick<MailService, "forgetPerson">;
  clock: () => number;
}

/**
 * Deletes an account for good, in the caller's transaction, with its addresses and its row locked. What others need of it stays
 * without what says who it was: the log's entries and the outbox's rows. Mails and log first: they are found by the account's
 * number, which the row takes along. Mails that went to an address for another reason than the account go with it only where the
 * address is proven: anybody can claim anybody's. The caller writes the entry and tells of the account; after commit it
 * drops caches and files.
 * @param passwordHash The one that the person's password was compared with; null: nobody compared.
 * @returns false where the account is gone, or has another password.
 */
export async function eraseAccount(
  { mail, clock }: EraseDeps,
  db: Queryable,
  account: ForgottenAccount,
  passwordHash: string | null,
): Promise<boolean> {
  const { earlierAddresses } = await forgetAccount(db, account);
  await forgetPerson(db, { userId: account.id, contentTypeId: await findUserContentType(db) });
  const proven = account.is_email_verified ? [account.email.toLowerCase(), ...earlierAddresses] : [];
  await mail.forgetPerson(db, { userId: account.id, addresses: proven });
  const sentBefore = clock() - LIMITS.codeResendCooldownS * 1000;
  await deleteCodesOf(db, { id: account.id, proven, sentBefore });
  const isGone = await deleteAccount(db, account.id, passwordHash);
  if (isGone) await publishSessionsEnded(db, account.id);
  return isGone;
}
