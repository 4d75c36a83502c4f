import { LIMITS } from "../limits.ts";

/** The texts of these codes are `errors` in `locales/`. */
export type AccountFaultCode =
  | "username_required"
  | "username_invalid"
  | "email_required"
  | "invalid_email"
  | "password_required"
  | "password_confirm_required"
  | "passwords_differ"
  | "code_length"
  | "code_digits"
  | "too_short"
  | "too_long";

/** One fault of a value; `vars` are the numbers that its text speaks of. */
export interface AccountFault<Field extends string = string> {
  field: Field;
  code: AccountFaultCode;
  vars?: { min: number } | { max: number };
}

export interface RegistrationValues {
  username: string;
  email: string;
  password: string;
  password_confirm: string;
}

export type RegistrationField = keyof RegistrationValues;

const USERNAME = /^[A-Za-z0-9_]+$/;
/** Local part 1 to 64, labels of the domain, a top-level part of two or more letters (specification A section 5). */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const DOMAIN_MAX_CHARS = 253;

type Fault = Omit<AccountFault, "field">;

function checkLength(value: string, min: number, max: number): Fault | undefined {
  if (value.length < min) return { code: "too_short", vars: { min } };
  return value.length > max ? { code: "too_long", vars: { max } } : undefined;
}

function checkUsername(username: string): Fault | undefined {
  if (username === "") return { code: "username_required" };
  const length = checkLength(username, LIMITS.usernameMinChars, LIMITS.usernameMaxChars);
  return length ?? (USERNAME.test(username) ? undefined : { code: "username_invalid" });
}

/** Whether a trimmed text has the form of an e-mail address. */
export function isEmailShaped(email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return (
    email.length <= LIMITS.emailMaxChars &&
    domain.length <= DOMAIN_MAX_CHARS &&
    !email.includes("..") &&
    EMAIL.test(email)
  );
}

function checkEmail(email: string): Fault | undefined {
  if (email === "") return { code: "email_required" };
  return isEmailShaped(email) ? undefined : { code: "invalid_email" };
}

function isVaried(password: string): boolean {
  return /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\d/.test(password);
}

function checkPassword(password: string): Fault | undefined {
  if (password === "") return { code: "password_required" };
  return checkLength(password, LIMITS.passwordMinChars, LIMITS.passwordMaxChars);
}

function checkRepeated(password: string, repeated: string): Fault | undefined {
  if (repeated === "") return { code: "password_confirm_required" };
  return repeated === password ? undefined : { code: "passwords_differ" };
}

function toFaults<Field extends string>(
  faults: Partial<Record<Field, Fault | undefined>>,
): AccountFault<Field>[] {
  return (Object.entries(faults) as [Field, Fault | undefined][]).flatMap(([field, fault]) =>
    fault ? [{ field, ...fault }] : [],
  );
}

/** Surrounding blanks go, except the passwords'. */
export function trimRegistration<Values extends { username: string; email: string }>(values: Values): Values {
  return { ...values, username: values.username.trim(), email: values.email.trim() };
}

/** Faults of trimmed values by the rules of specification A section 5, at most one a field, in the order of the form. */
export function findRegistrationFaults(values: RegistrationValues): AccountFault<RegistrationField>[] {
  return toFaults({
    username: checkUsername(values.username),
    email: checkEmail(values.email),
    password: checkPassword(values.password),
    password_confirm: checkRepeated(values.password, values.password_confirm),
  });
}

/** Faults of a new password and its repetition, under the names that the request gives them. */
export function findNewPasswordFaults<Field extends string>(
  values: { password: string; repeated: string },
  fields: { password: Field; repeated: Field },
): AccountFault<Field>[] {
  return toFaults({
    [fields.password]: checkPassword(values.password),
    [fields.repeated]: checkRepeated(values.password, values.repeated),
  } as Partial<Record<Field, Fault | undefined>>); // a computed key is any string to the compiler
}

/** Faults of a trimmed address. */
export function findEmailFaults(email: string): AccountFault<"email">[] {
  return toFaults({ email: checkEmail(email) });
}

/** Faults of a trimmed code that came by mail. */
export function findCodeFaults(code: string): AccountFault<"otp_code">[] {
  if (code.length !== LIMITS.codeDigits) return [{ field: "otp_code", code: "code_length" }];
  return /^\d+$/.test(code) ? [] : [{ field: "otp_code", code: "code_digits" }];
}

export type PasswordStrength = "very_weak" | "weak" | "medium" | "strong";
const VERY_WEAK_BELOW_CHARS = 4;
/** From here on a password is strong whatever it is made of. */
const LONG_CHARS = 15;

/** How strong a password looks while it is typed (specification A section 5). */
export function getPasswordStrength(password: string): PasswordStrength {
  if (password.length < VERY_WEAK_BELOW_CHARS) return "very_weak";
  if (password.length < LIMITS.passwordMinChars) return "weak";
  return isVaried(password) || password.length >= LONG_CHARS ? "strong" : "medium";
}
