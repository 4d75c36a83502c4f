import { LIMITS } from "#contract/limits.ts";
import { forgetPerson as forgetInLog, listNamesOf } from "#server/audit/service.ts";
import { forgetPerson } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailService } from "#server/mail/service.ts";
import { tellSessionsEnded } from "./sessions/end-sessions.ts";
import { findUserContentType, toMoment } from "./store.ts";

interface EraseParts {
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
  { mail, clock }: EraseParts,
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
  if (isGone) await tellSessionsEnded(db, account.id);
  return isGone;
}

export interface ForgottenAccount {
  id: number;
  username: string;
  email: string;
  is_email_verified: boolean;
}

/** Of some names in lower case those that an account has now, by which somebody else signs in. */
async function findUsed(db: Queryable, names: readonly string[], exceptId: number): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE EXISTS (SELECT FROM account_user WHERE (lower(username) = name OR lower(email) = name) AND id <> $2)`,
    [names, exceptId],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Takes an account that goes out of the log: by its number, and by each name that it has or had, unless somebody else has that
 * name now, or it is an address that the account never proved: anybody can claim anybody's. Called in the transaction that deletes the row.
 * @returns addresses in lower case that were the account's before and are nobody's now.
 */
export async function forgetAccount(
  db: Queryable,
  account: ForgottenAccount,
): Promise<{ earlierAddresses: string[] }> {
  const contentTypeId = await findUserContentType(db);
  const earlier = await listNamesOf(db, { userId: account.id, contentTypeId });
  const current = [account.username, ...(account.is_email_verified ? [account.email] : [])];
  const past = earlier.filter(({ name, wasAddress }) => wasAddress || !name.includes("@"));
  const all = [...new Set([...current.map((name) => name.toLowerCase()), ...past.map(({ name }) => name)])];
  const used = await findUsed(db, all, account.id);
  const names = all.filter((name) => !used.has(name));
  await forgetInLog(db, { userId: account.id, contentTypeId, names });
  return {
    earlierAddresses: earlier
      .filter(({ name, wasAddress }) => wasAddress && !used.has(name))
      .map(({ name }) => name),
  };
}
