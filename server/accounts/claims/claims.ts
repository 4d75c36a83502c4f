import { createHash, randomBytes } from "node:crypto";
import { recordAudit } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, type Client, toActor } from "../account.ts";
import { type ForgottenAccount, forgetAccount } from "../forget-in-log.ts";
import { findUserContentType } from "../store.ts";
import { settleInvitation } from "./admission.ts";
import { deleteOldClaims, deleteOtherClaims, markProven } from "./store.ts";

const TICKET_BYTES = 32;

/** Shorter ones could be guessed. */
const TICKET_MIN_CHARS = 32;

/**
 * What a browser keeps of its registration: its own ticket where that is long enough, else a new one. The database keeps its
 * hash; long and random: a plain hash suffices.
 */
export function toTicket(given: string | undefined): { ticket: string; ticketHash: string } {
  const isGood = given !== undefined && given.length >= TICKET_MIN_CHARS;
  const ticket = isGood ? given : randomBytes(TICKET_BYTES).toString("base64url");
  return { ticket, ticketHash: hashTicket(ticket) };
}

export function hashTicket(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}

/** A code has shown that the address is the account's: other claims of it go, with an entry in the log. The address is locked. */
export async function proveAddress(
  db: Queryable,
  claim: Pick<Account, "id" | "email">,
  client: Client,
): Promise<Account> {
  const account = await markProven(db, claim.id, claim.email, await settleInvitation(db, claim.id));
  await removeOtherClaims(db, account.email.toLowerCase(), account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "verify_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: { is_email_verified: { before: false, after: true } },
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  return account;
}

/** One after the other: they share a connection. */
async function forgetAll(db: Queryable, accounts: readonly ForgottenAccount[]): Promise<number> {
  for (const account of accounts) await forgetAccount(db, account);
  const ids = accounts.map(({ id }) => id);
  if (ids.length > 0) await notifyChange(db, "accounts.user", toRowChange("deleted", ids));
  return accounts.length;
}

/**
 * Takes away what was registered before a moment (in milliseconds), everywhere or where it holds a username, and who it was out
 * of the log, and publishes it; says how many.
 */
export async function removeOldClaims(db: Queryable, before: number, username?: string): Promise<number> {
  return forgetAll(db, await deleteOldClaims(db, before, username));
}

/** The same for all claims of an address, in lower case, that somebody else has proven now. */
export async function removeOtherClaims(db: Queryable, email: string, ownerId: number): Promise<void> {
  await forgetAll(db, await deleteOtherClaims(db, email, ownerId));
}
