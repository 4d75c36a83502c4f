import { LIMITS } from "#contract/limits.ts";
import type { FieldFault } from "#server/http/errors.ts";

export interface NewAccount {
  username: string;
  email: string;
  password: string;
}

const USERNAME = /^[A-Za-z0-9_]+$/;
/** Local part 1 to 64, labels of the domain, a top-level part of two or more letters (specification A section 5). */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const DOMAIN_MAX_CHARS = 253;

function checkLength(field: string, value: string, min: number, max: number): FieldFault | undefined {
  if (value.length < min) return { field, code: "too_short", vars: { min } };
  return value.length > max ? { field, code: "too_long", vars: { max } } : undefined;
}

function checkUsername(username: string): FieldFault | undefined {
  const field = "username";
  if (username === "") return { field, code: "username_required" };
  const length = checkLength(field, username, LIMITS.usernameMinChars, LIMITS.usernameMaxChars);
  return length ?? (USERNAME.test(username) ? undefined : { field, code: "invalid_format" });
}

function checkEmail(email: string): FieldFault | undefined {
  const field = "email";
  if (email === "") return { field, code: "required" };
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const isGood =
    email.length <= LIMITS.emailMaxChars &&
    domain.length <= DOMAIN_MAX_CHARS &&
    !email.includes("..") &&
    EMAIL.test(email);
  return isGood ? undefined : { field, code: "invalid_email" };
}

function checkPassword(password: string): FieldFault | undefined {
  const field = "password";
  if (password === "") return { field, code: "password_required" };
  const length = checkLength(field, password, LIMITS.passwordMinChars, LIMITS.passwordMaxChars);
  const isVaried = /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\d/.test(password);
  return length ?? (isVaried ? undefined : { field, code: "invalid_format" });
}

/** Surrounding blanks go, except the password's. */
export function trimNewAccount(account: NewAccount): NewAccount {
  return { username: account.username.trim(), email: account.email.trim(), password: account.password };
}

/** Faults of a new account by the rules of specification A section 5, at most one a field. */
export function findFaults(account: NewAccount): FieldFault[] {
  return [checkUsername(account.username), checkEmail(account.email), checkPassword(account.password)].filter(
    (fault) => fault !== undefined,
  );
}
