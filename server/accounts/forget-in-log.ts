import { forgetPerson as forgetInLog, listNamesOf } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { findUsedNames, findUserContentType } from "./store.ts";

export interface ForgottenAccount {
  id: number;
  username: string;
  email: string;
  is_email_verified: boolean;
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
  const used = await findUsedNames(db, all, account.id);
  const names = all.filter((name) => !used.has(name));
  await forgetInLog(db, { userId: account.id, contentTypeId, names });
  return {
    earlierAddresses: earlier
      .filter(({ name, wasAddress }) => wasAddress && !used.has(name))
      .map(({ name }) => name),
  };
}
