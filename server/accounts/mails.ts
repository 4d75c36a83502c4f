import type { FactorChange } from "#contract/accounts/second-factor.ts";
import { LIMITS } from "#contract/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import { type Account, toMailLanguage } from "./account.ts";
import {
  type CodeSubject,
  holdCode,
  insertCode,
  isInTime,
  lockHeldCode,
  lockNewestCode,
  postponeCode,
  toTicket,
} from "./codes/store.ts";
import type { AccountDeps } from "./deps.ts";

type Addressee = Pick<Account, "id" | "username" | "email" | "admin_language">;

function toAddressed(account: Addressee) {
  return {
    recipient: account.email,
    language: toMailLanguage(account),
    userId: account.id,
    username: account.username,
  };
}

/** A code for the address that an account has. */
export function buildCodeMail(kind: "verification_code" | "password_reset", account: Addressee): CodeMail {
  return {
    kind: "code",
    userId: account.id,
    build: (secrets) => ({ kind, ...toAddressed(account), ...secrets }),
  };
}

/** Word to the owner of an address that somebody else gave it too. */
export function buildExistsMail(owner: Addressee): CodeMail {
  return { kind: "notice", mail: { kind: "account_exists", ...toAddressed(owner) } };
}

/** To whom the console made an account: how to choose a password. */
export function buildAccountMadeMail(account: Addressee): OutgoingMail {
  return { kind: "account_made", ...toAddressed(account) };
}

/** To whom staff let in, or not. */
export function buildDecisionMail(decision: "approved" | "refused", account: Addressee): OutgoingMail {
  return { kind: "registration_decided", ...toAddressed(account), decision };
}

/** `now` in milliseconds. */
export function buildNewSignInMail(
  account: Addressee,
  { device, ipAddress }: { device: string; ipAddress: string },
  now: number,
): OutgoingMail {
  return {
    kind: "new_sign_in",
    ...toAddressed(account),
    device,
    ipAddress,
    at: new Date(now).toISOString(),
  };
}

/** `now` in milliseconds. */
export function buildPasswordChangedMail(account: Addressee, now: number): OutgoingMail {
  return { kind: "password_changed", ...toAddressed(account), at: new Date(now).toISOString() };
}

/** `now` in milliseconds. */
export function buildFactorsChangedMail(account: Addressee, change: FactorChange, now: number): OutgoingMail {
  return { kind: "second_factor_changed", ...toAddressed(account), change, at: new Date(now).toISOString() };
}

/** To the address before, which the account has no more. */
export function buildAddressChangedMail(account: Addressee, oldAddress: string, now: number): OutgoingMail {
  return {
    kind: "address_changed",
    ...toAddressed(account),
    recipient: oldAddress,
    newAddress: account.email,
    at: new Date(now).toISOString(),
  };
}

/** What a mail brings: digits for the browser that asked, and the secret of a link, good in any. */
interface MailedCode {
  code: string;
  proof: string;
  /** ISO moment. */
  expiresAt: string;
}

/** What an address is sent: a code for an account, word that it has one already, or nothing, because it has none. */
export type CodeMail =
  | { kind: "code"; userId: number; build: (secrets: MailedCode) => OutgoingMail }
  | { kind: "notice"; mail: OutgoingMail }
  | { kind: "nothing" };

const COOLDOWN_MS = LIMITS.codeResendCooldownS * 1000;
const LIFETIME_MS = LIMITS.codeLifetimeS * 1000;
/**
 * Of the limit of mails nobody is left without a code by who asks too often: where the last one is older than this, another goes
 * out. Half a lifetime, so that there is always one in the mailbox that is good for a while.
 */
const RESERVE_MS = LIFETIME_MS / 2;

/**
 * Whether a mail goes out, or is held back by the limits of its address. What sends nothing isn't counted: else silent requests of a stranger
 * would use up what the address's owner needs.
 */
async function limitMail(
  { callLimits }: Pick<AccountDeps, "callLimits">,
  { purpose, email }: CodeSubject,
  wanted: CodeMail,
  isFresh: boolean,
): Promise<"sent" | "held"> {
  if (wanted.kind === "nothing") return "sent";
  if (await callLimits.takeMail("code_sent", `${purpose} ${email}`)) return "sent";
  if (isFresh || wanted.kind === "notice") return "held";
  // Codes for a new address are each person's own, none stands in for another: of all people together one goes out in that time.
  if (purpose !== "change_email") return "sent";
  return (await callLimits.takeMail("change_code_reserve", email)) ? "sent" : "held";
}

/**
 * Sends an address a code, unless it was sent one within 60 s, or ten mails within the hour and the last of them a short time ago:
 * then the browser that asks holds the code that is in the mailbox. What other browsers hold stays good. Whatever is sent, and
 * whether it is, a person who asks again is answered the same. The address is locked (`lockAddress`).
 * @param ticketHash of the browser that asks.
 * @returns seconds until another may be asked for.
 */
export async function sendCode(
  deps: AccountDeps,
  db: Queryable,
  subject: CodeSubject,
  ticketHash: string,
  wanted: CodeMail,
): Promise<number> {
  const now = deps.clock();
  // Of a new address each person who wants it waits for themselves alone.
  const last =
    subject.purpose === "change_email"
      ? await lockHeldCode(db, subject, ticketHash)
      : await lockNewestCode(db, subject);
  const sentAt = new Date(now).toISOString();
  const remainingMs = last ? Date.parse(last.sent_at) + COOLDOWN_MS - now : 0;
  if (last && remainingMs > 0) {
    await holdCode(db, subject, ticketHash, last.id);
    if (remainingMs <= COOLDOWN_MS) return Math.ceil(remainingMs / 1000);
    // The clock went back since: what was sent in the future counts as sent now.
    await postponeCode(db, last.id, sentAt);
    return LIMITS.codeResendCooldownS;
  }
  const isLive = last?.code_hash != null && isInTime(last, now);
  const isFresh = isLive && Date.parse(last.expires_at) - now > LIFETIME_MS - RESERVE_MS;
  const limited = await limitMail(deps, subject, wanted, isFresh);
  // The code in the mailbox is as good as another one.
  if (last && limited === "held" && (isLive || wanted.kind === "notice")) {
    await holdCode(db, subject, ticketHash, last.id);
    await postponeCode(db, last.id, sentAt);
    return LIMITS.codeResendCooldownS;
  }
  const mail: CodeMail = limited === "held" ? { kind: "nothing" } : wanted;
  const isCode = mail.kind === "code";
  const code = deps.codes.generate();
  const { ticket: proof, ticketHash: proofHash } = toTicket();
  const expiresAt = new Date(now + LIFETIME_MS).toISOString();
  const hash = deps.codes.hash(subject, code);
  const id = await insertCode(db, subject, {
    userId: isCode ? mail.userId : null,
    hash: isCode ? hash : null,
    proofHash: isCode ? proofHash : null,
    sentAt,
    expiresAt,
  });
  await holdCode(db, subject, ticketHash, id);
  if (mail.kind !== "nothing") {
    await deps.mail.queue(db, isCode ? mail.build({ code, proof, expiresAt }) : mail.mail);
  }
  return LIMITS.codeResendCooldownS;
}
