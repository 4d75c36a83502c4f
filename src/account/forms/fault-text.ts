import type { AccountFault } from "#contract/accounts/account-rules.ts";
import { HttpError } from "#providers/http/http.ts";
import { toDocumentedText, toReason, withRetry } from "../../ui/failure-text.ts";
import type { AccountText } from "../account-area.tsx";

/** The texts of faults by their fields. Two faults of one field: the first stands. */
export function toFaultTexts<Field extends string>(
  faults: readonly AccountFault<Field>[],
  t: AccountText,
): Partial<Record<Field, string>> {
  const texts: Partial<Record<Field, string>> = {};
  for (const { field, code, vars } of faults) texts[field] ??= t(`account:faults.${code}`, { ...vars });
  return texts;
}

export const LOGIN_FIELDS = ["username", "password"] as const;
type LoginField = (typeof LOGIN_FIELDS)[number];

/** What a person left out (specification A section 5). */
export function findLoginErrors(
  values: Record<LoginField, string>,
  t: AccountText,
): Partial<Record<LoginField, string>> {
  return {
    ...(!values.username.trim() && { username: t("session:errors.usernameRequired") }),
    ...(!values.password.trim() && { password: t("session:errors.passwordRequired") }),
  };
}

/** The password, or the code, was right: the account waits until staff have decided about it. */
export function isWaiting(error: unknown): boolean {
  return error instanceof HttpError && error.code === "account_waiting";
}

/** The documented message of a refused log-in (specification A section 8), with when to try again where the server said so. */
export function toLoginText(
  error: unknown,
  t: AccountText,
  fallback = t("session:errors.loginFailed"),
): string {
  // Who waits, was refused, gave up the second half, or whose passkey did not do, reads that, and what to do instead.
  if (error instanceof HttpError && /^(account|second_factor|passkey)_/.test(error.code))
    return toReason(error, t) || fallback;
  switch (error instanceof HttpError ? error.status : undefined) {
    case 401:
      return t("session:errors.invalidCredentials");
    case 403:
      return t("session:errors.insufficientPermissions");
    case 429:
      return withRetry(t("session:errors.tooManyAttempts"), error, t);
    default:
      return toDocumentedText(error, fallback, t);
  }
}
