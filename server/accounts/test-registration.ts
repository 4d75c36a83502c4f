import type { LightMyRequestResponse } from "fastify";
import type { RegisterAnswer } from "#contract/accounts/registration.ts";
import { registerAnswer } from "#contract/accounts/registration.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import type { AccountsFixture } from "./fixture.ts";

export const PASSWORD = "Correct-horse-1";

/** Registers, with an e-mail address made from the username unless one is given. */
export function register(
  accounts: AccountsFixture,
  username: string,
  more: {
    email?: string;
    ticket?: string;
    invitation?: string;
    password?: string;
    lang?: string;
    address?: string;
  } = {},
): Promise<LightMyRequestResponse> {
  const { email = `${username}@example.org`, password = PASSWORD, ticket, invitation, ...options } = more;
  const secrets = { ...(ticket && { ticket }), ...(invitation && { invitation }) };
  const payload = { username, email, password, password_confirm: password, ...secrets };
  return accounts.send("POST", "/api/users/register/", { ...options, payload });
}

/** The same for a registration that must go well. */
export async function requireRegistered(
  accounts: AccountsFixture,
  username: string,
  more: Parameters<typeof register>[2] = {},
): Promise<RegisterAnswer> {
  return registerAnswer.parse((await register(accounts, username, more)).json());
}

/** Types a code. */
export function verify(
  accounts: AccountsFixture,
  email: string,
  code: string,
  more: { ticket?: string; token?: string; lang?: string; address?: string } = {},
): Promise<LightMyRequestResponse> {
  const { ticket, ...options } = more;
  const payload = { email, otp_code: code, ...(ticket && { ticket }) };
  return accounts.send("POST", "/api/users/verify-email/", { ...options, payload });
}

/** The code in the only mail of a list. */
export function getCode(mails: OutgoingMail[]): string {
  const [mail] = mails;
  if (mails.length !== 1 || !mail || !("code" in mail)) {
    throw new Error(`one mail with a code was expected: ${JSON.stringify(mails)}`);
  }
  return mail.code;
}

/** The secret of the link in the only mail of a list. */
export function getProof(mails: OutgoingMail[]): string {
  const [mail] = mails;
  if (mails.length !== 1 || !mail || !("proof" in mail) || !mail.proof)
    throw new Error(`one mail with a link was expected: ${JSON.stringify(mails)}`);
  return mail.proof;
}

/** Another code than this one. */
export function toWrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}
