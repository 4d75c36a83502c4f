import { findEmailFaults } from "#contract/account-rules.ts";
import type { Language } from "#contract/languages.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { lockAddress } from "../code-store.ts";
import type { AccountParts } from "../deps.ts";
import { buildExistsMail } from "../mails.ts";
import { type CodeMail, sendCode } from "../send-code.ts";
import { findOwner } from "./store.ts";

async function setPendingEmail(db: Queryable, userId: number, email: string | null): Promise<void> {
  await db.query("UPDATE account_user SET pending_email = $2 WHERE id = $1", [userId, email]);
}

/** Sends the code for a new address, or tells its owner that it has an account; to the person both look the same. */
export async function sendChangeCode(
  parts: AccountParts,
  db: Queryable,
  person: Pick<SignedIn, "userId" | "username">,
  address: string,
  language: Language,
): Promise<number> {
  const email = address.toLowerCase();
  await lockAddress(db, email);
  const owner = await findOwner(db, email);
  const mail: CodeMail =
    owner && owner.id !== person.userId
      ? buildExistsMail(owner)
      : {
          kind: "code",
          userId: person.userId,
          build: (code, expiresAt) => ({
            kind: "change_email_code",
            recipient: address,
            language,
            userId: person.userId,
            username: person.username,
            code,
            expiresAt,
          }),
        };
  return sendCode(parts, db, { purpose: "change_email", email }, mail);
}

/**
 * Notes a new address that counts once the code is typed which is sent there. `lang` is that of the mail. The account's row
 * is the caller's to audit and to announce.
 * @throws AppError validation_failed at `email`.
 */
export async function requestEmailChange(
  parts: AccountParts,
  db: Queryable,
  person: SignedIn,
  email: string,
  lang: Language,
): Promise<void> {
  const address = email.trim();
  const fields = findEmailFaults(address);
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
  await setPendingEmail(db, person.userId, address);
  await sendChangeCode(parts, db, person, address, lang);
}

/** The old address stays; a code that was sent is good for nothing, because nobody waits for it. */
export async function cancelEmailChange(db: Queryable, userId: number): Promise<void> {
  await setPendingEmail(db, userId, null);
}
