import type { OutgoingMail } from "#server/mail/service.ts";
import type { Account } from "./account.ts";
import { toMailLanguage } from "./mail-language.ts";
import type { CodeMail } from "./send-code.ts";

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
