import type session from "#locales/en/session.json";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import type { TextKey } from "./public-text.ts";

/** `t()` of screens that load the texts of failed calls, which are part of the session's. */
type FailureText = (
  key: Extract<TextKey<{ session: typeof session }>, `session:${"errors" | "failure" | "retry"}.${string}`>,
  vars?: Readonly<Record<string, string | number>>,
) => string;

const MINUTE_S = 60;
/** What a proxy answers in place of a site that is stopped, started anew or slow. */
const MAINTENANCE = [502, 503, 504];

/** "You can try again in 12 minutes.", where the server said when. */
function toRetryText(error: unknown, t: FailureText): string {
  const seconds = error instanceof HttpError ? error.retryAfterS : undefined;
  if (!seconds) return "";
  return seconds < MINUTE_S
    ? t("session:retry.seconds", { count: seconds })
    : t("session:retry.minutes", { count: Math.ceil(seconds / MINUTE_S) });
}

/** A text, with when to try again where the server said so. */
export function withRetry(text: string, error: unknown, t: FailureText): string {
  return [text, toRetryText(error, t)].filter(Boolean).join(" ");
}

/** No answer came; the call may have arrived all the same. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof HttpError && error.code === "network_error";
}

function toOutageText(error: unknown, t: FailureText): string {
  if (isNetworkError(error)) return t("session:failure.offline");
  const isMaintenance = error instanceof HttpError && MAINTENANCE.includes(error.status);
  return isMaintenance ? t("session:failure.maintenance") : "";
}

/** Texts of answers that say nothing themselves, in the language of the page (specification A section 8). */
const WORDLESS = {
  token_refresh_failed: "session:errors.refreshFailed",
  user_info_failed: "session:errors.userInfoFailed",
} as const;

const isWordless = (code: string): code is keyof typeof WORDLESS => code in WORDLESS;

function toWordlessText(error: unknown, t: FailureText): string {
  if (!(error instanceof HttpError)) return "";
  if (isWordless(error.code)) return t(WORDLESS[error.code]);
  return error.status === 401 && error.message === UNKNOWN_ERROR ? t("session:errors.noToken") : "";
}

/** Why a call failed: the server's words, that it can't be reached or is being worked on, or "" where nothing is known. */
export function toReason(error: unknown, t: FailureText): string {
  const wordless = toWordlessText(error, t);
  const hasWords = error instanceof HttpError && !isNetworkError(error) && error.message !== UNKNOWN_ERROR;
  const reason = wordless || (hasWords ? error.message : toOutageText(error, t));
  return reason && withRetry(reason, error, t);
}

/** Why a call failed, else the text of what failed. */
export function toFailureText(error: unknown, fallback: string, t: FailureText): string {
  return toReason(error, t) || fallback;
}

/** The documented text of what failed, where it is not that the server can't be asked at all. */
export function toDocumentedText(error: unknown, documented: string, t: FailureText): string {
  return withRetry(toOutageText(error, t) || documented, error, t);
}
