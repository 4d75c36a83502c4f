import { findEmailFaults } from "#contract/accounts/account-rules.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, type Client, toActor } from "../account.ts";
import { checkCode } from "../codes/check-code.ts";
import { hashTicket, lockAddress, spendCode } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { buildAddressChangedMail, buildExistsMail, type CodeMail, sendCode } from "../mails.ts";
import { findUserContentType } from "../store.ts";
import { removeOtherClaims } from "./claims.ts";
import { findOwner, setPendingEmail } from "./store.ts";
import { enterProven } from "./waiting.ts";

/** A new address is its person's wish: in every browser of theirs they hold the same code, and nobody else does. */
const toMoverTicket = (userId: number) => hashTicket(`change_email of ${userId}`);

/** Sends the code for a new address, or notifies its owner that it has an account; to the person both look the same. */
export async function sendChangeCode(
  deps: AccountDeps,
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
          build: ({ code, expiresAt }) => ({
            kind: "change_email_code",
            recipient: address,
            language,
            userId: person.userId,
            username: person.username,
            code,
            expiresAt,
          }),
        };
  return sendCode(deps, db, { purpose: "change_email", email }, toMoverTicket(person.userId), mail);
}

/**
 * Notes a new address that counts once the code is typed which is sent there. `lang` is that of the mail. The account's row
 * is the caller's to audit and to announce.
 * @throws AppError validation_failed at `email`.
 */
export async function requestEmailChange(
  deps: AccountDeps,
  db: Queryable,
  person: SignedIn,
  email: string,
  lang: Language,
): Promise<void> {
  const address = email.trim();
  const fields = findEmailFaults(address);
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
  await setPendingEmail(db, person.userId, address);
  await sendChangeCode(deps, db, person, address, lang);
}

/** The old address stays; a code that was sent is good for nothing, because nobody waits for it. */
export async function cancelEmailChange(db: Queryable, userId: number): Promise<void> {
  await setPendingEmail(db, userId, null);
}

/** The account as it is now, if it still waits for this address; nobody else changes it before the transaction ends. */
async function lockMover(
  db: Queryable,
  userId: number,
  email: string,
): Promise<(Pick<Account, "email" | "is_email_verified"> & { pending_email: string }) | undefined> {
  const { rows } = await db.query<{ email: string; is_email_verified: boolean; pending_email: string }>(
    `SELECT email, is_email_verified, pending_email FROM account_user
     WHERE id = $1 AND lower(pending_email) = $2 AND is_active FOR UPDATE`,
    [userId, email],
  );
  return rows[0];
}

/**
 * The code for a new address was typed: the account moves there, and the old address gets a mail. Runs with the address locked.
 */
export async function moveAddress(
  deps: AccountDeps,
  db: Queryable,
  mover: Account,
  request: { email: string; code: string },
  client: Client,
): Promise<{ username: string; isWaiting: boolean; opened: undefined } | undefined> {
  const { email, code } = request;
  const shown = { code, ticketHash: toMoverTicket(mover.id), proof: undefined };
  const right = await checkCode(deps, db, { purpose: "change_email", email }, shown, client);
  const owner = await findOwner(db, email);
  if (right?.userId !== mover.id || (owner && owner.id !== mover.id)) return undefined;
  const before = await lockMover(db, mover.id, email);
  if (!before) return undefined;
  await spendCode(db, right.id);
  const { account, changes } = await enterProven(deps, db, mover.id, before.pending_email);
  await removeOtherClaims(db, email, account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "change_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: {
      email: { before: before.email, after: account.email },
      // Says of the address before that it was only claimed.
      ...(!before.is_email_verified && { is_email_verified: { before: false, after: true } }),
      ...changes,
    },
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  if (before.is_email_verified) {
    await deps.mail.queue(db, buildAddressChangedMail(account, before.email, deps.clock()));
  }
  return { username: account.username, isWaiting: account.admission === "waiting", opened: undefined };
}
