import type { FactorChange } from "#contract/accounts/second-factor.ts";
import { LIMITS } from "#contract/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import { type Account, toMailLanguage } from "./account.ts";
import { type CodeSubject, lockCode, postponeCode, putCode } from "./codes/store.ts";
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
    build: (code, expiresAt) => ({ kind, ...toAddressed(account), code, expiresAt }),
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

/** What an address is sent: a code for an account, word that it has one already, or nothing, because it has none. */
export type CodeMail =
  | { kind: "code"; userId: number; build: (code: string, expiresAt: string) => OutgoingMail }
  | { kind: "notice"; mail: OutgoingMail }
  | { kind: "nothing" };

const COOLDOWN_MS = LIMITS.codeResendCooldownS * 1000;

/**
 * Sends an address its one live code, unless it was sent one within 60 s, or ten mails within the hour. Whatever is sent, and
 * whether it is, a person who asks again is answered the same. The address is locked (`lockAddress`).
 * @returns seconds until another may be asked for.
 */
export async function sendCode(
  deps: AccountDeps,
  db: Queryable,
  subject: CodeSubject,
  wanted: CodeMail,
): Promise<number> {
  const now = deps.clock();
  const last = await lockCode(db, subject);
  const sentAt = new Date(now).toISOString();
  const remainingMs = last ? Date.parse(last.sent_at) + COOLDOWN_MS - now : 0;
  if (last && remainingMs > COOLDOWN_MS) {
    // The clock went back since: what was sent in the future counts as sent now.
    await postponeCode(db, last.id, sentAt);
    return LIMITS.codeResendCooldownS;
  }
  if (remainingMs > 0) return Math.ceil(remainingMs / 1000);
  // What sends nothing isn't counted: else silent requests of a stranger would use up what the address's owner needs.
  const isWithheld =
    wanted.kind !== "nothing" &&
    !deps.callLimits.takeMail("code_sent", `${subject.purpose} ${subject.email}`);
  if (isWithheld && last) {
    await postponeCode(db, last.id, sentAt);
    return LIMITS.codeResendCooldownS;
  }
  const mail: CodeMail = isWithheld ? { kind: "nothing" } : wanted;
  const code = deps.codes.generate();
  const expiresAt = new Date(now + LIMITS.codeLifetimeS * 1000).toISOString();
  const hash = deps.codes.hash(subject, code);
  const isCode = mail.kind === "code";
  await putCode(db, subject, {
    userId: isCode ? mail.userId : null,
    hash: isCode ? hash : null,
    sentAt,
    expiresAt,
  });
  if (mail.kind !== "nothing") {
    await deps.mail.queue(db, isCode ? mail.build(code, expiresAt) : mail.mail);
  }
  return LIMITS.codeResendCooldownS;
}
