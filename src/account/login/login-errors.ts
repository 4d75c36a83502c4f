import { HttpError } from "#providers/http.ts";
import type { AccountText } from "../account-text.tsx";

export type LoginField = "username" | "password";
export type LoginValues = Record<LoginField, string>;

/** What stands under the fields and, where nothing belongs to a field, above the button. */
export type LoginErrors = Partial<Record<LoginField | "form", string | undefined>>;

/** What a person left out (specification A section 5). */
export function checkLogin(values: LoginValues, t: AccountText): LoginErrors {
  const errors: LoginErrors = {};
  if (!values.username.trim()) errors.username = t("account:errors.usernameRequired");
  if (!values.password.trim()) errors.password = t("account:errors.passwordRequired");
  return errors;
}

function toFormError(status: number, t: AccountText): string {
  switch (status) {
    case 401:
      return t("account:errors.invalidCredentials");
    case 403:
      return t("account:errors.insufficientPermissions");
    case 429:
      return t("account:errors.tooManyAttempts");
    default:
      return t("account:errors.loginFailed");
  }
}

/** The documented messages of a refused log-in (specification A section 8). The server's field texts stand under their fields. */
export function toLoginErrors(error: unknown, t: AccountText): LoginErrors {
  if (!(error instanceof HttpError)) return { form: t("account:errors.loginFailed") };
  const errors: LoginErrors = {};
  for (const { field, message } of error.errors) {
    if (field === "username" || field === "password") errors[field] ??= message;
  }
  return errors.username || errors.password ? errors : { form: toFormError(error.status, t) };
}
