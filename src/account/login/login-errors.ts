import { HttpError } from "#providers/http.ts";
import type { AccountText } from "../account-text.tsx";
import { toDocumentedText, withRetry } from "../parts/failure-text.ts";

export const LOGIN_FIELDS = ["username", "password"] as const;
type LoginField = (typeof LOGIN_FIELDS)[number];

/** What a person left out (specification A section 5). */
export function findLoginErrors(
  values: Record<LoginField, string>,
  t: AccountText,
): Partial<Record<LoginField, string>> {
  return {
    ...(!values.username.trim() && { username: t("account:errors.usernameRequired") }),
    ...(!values.password.trim() && { password: t("account:errors.passwordRequired") }),
  };
}

/** The documented message of a refused log-in (specification A section 8), with when to try again where the server said so. */
export function toLoginText(
  error: unknown,
  t: AccountText,
  fallback = t("account:errors.loginFailed"),
): string {
  switch (error instanceof HttpError ? error.status : undefined) {
    case 401:
      return t("account:errors.invalidCredentials");
    case 403:
      return t("account:errors.insufficientPermissions");
    case 429:
      return withRetry(t("account:errors.tooManyAttempts"), error, t);
    default:
      return toDocumentedText(error, fallback, t);
  }
}
