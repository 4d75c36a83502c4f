import { LIMITS } from "#contract/limits.ts";
import { forgetPerson } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailService } from "#server/mail/service.ts";
import { type ForgottenAccount, forgetAccount } from "./forget-in-log.ts";
import { publishSessionsEnded } from "./sessions/end-sessions.ts";
import { findUserContentType, toMoment } from "./store.ts";

interface EraseDeps {
  mail: Pick<MailService, "forgetPerson">;
  clock: () => number;
}

/**
 * Sessions go with the row; so do codes of the addresses (in lower case) that it has proven, and of one that it wanted to move
 * to. Codes of an address that it only claimed are others' too, and what was sent after `sentBefore` still bounds
 * how soon the address is sent another. False: it is gone, or its password is not the compared one any more.
 */
async function deleteRows(
  db: Queryable,
  account: { id: number; passwordHash: string | null; proven: readonly string[]; sentBefore: number },
): Promise<boolean> {
  await db.query(
    `DELETE FROM account_code
     WHERE email = ANY($1) OR (user_id = $2 AND purpose = 'change_email' AND sent_at <= $3)`,
    [account.proven, account.id, toMoment(account.sentBefore)],
  );
  const { rowCount } = await db.query(
    "DELETE FROM account_user WHERE id = $1 AND password_hash = COALESCE($2, password_hash)",
    [account.id, account.passwordHash],
  );
  return rowCount === 1;
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
  const isGone = await deleteRows(db, { id: account.id, passwordHash, proven, sentBefore });
  if (isGone) await publishSessionsEnded(db, account.id);
  return isGone;
}
