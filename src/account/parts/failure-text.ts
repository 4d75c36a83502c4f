import { HttpError, UNKNOWN_ERROR } from "#providers/http.ts";
import type { AccountText } from "../account-text.tsx";

const MINUTE_S = 60;

/** "You can try again in 12 minutes.", where the server said when. */
export function toRetryText(error: unknown, t: AccountText): string {
  const seconds = error instanceof HttpError ? error.retryAfterS : undefined;
  if (!seconds) return "";
  return seconds < MINUTE_S
    ? t("account:retry.seconds", { count: seconds })
    : t("account:retry.minutes", { count: Math.ceil(seconds / MINUTE_S) });
}

/** What the server says of a refusal, with when to try again; `fallback` where it said nothing or did not answer. */
export function toFailureText(error: unknown, fallback: string, t: AccountText): string {
  const isAnswer = error instanceof HttpError && error.status < 500 && error.message !== UNKNOWN_ERROR;
  if (!isAnswer) return fallback;
  return [error.message, toRetryText(error, t)].filter(Boolean).join(" ");
}
