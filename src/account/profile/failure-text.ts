import { HttpError, UNKNOWN_ERROR } from "#providers/http.ts";
import type { AccountText } from "../account-text.tsx";
import { toRetryText } from "../parts/failure-text.ts";

/** Whether an answer came that says why. A failed network, and a bug, have no words for a reader. */
function hasReason(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code !== "network_error" && error.message !== UNKNOWN_ERROR;
}

/** Why a call failed: the server's words, that it can't be reached, or nothing where only the fallback is known. */
export function toReason(error: unknown, t: AccountText): string {
  if (hasReason(error)) return [error.message, toRetryText(error, t)].filter(Boolean).join(" ");
  const isOffline = error instanceof HttpError && error.code === "network_error";
  return isOffline ? t("profile:edit.offline") : "";
}

/** The server's words, else the text of what failed. */
export function toFailureText(error: unknown, fallback: string, t: AccountText): string {
  return toReason(error, t) || fallback;
}

/** The server's texts of these fields; the first one of each. */
export function toFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {};
  if (!(error instanceof HttpError)) return found;
  for (const { field, message } of error.errors) {
    const known = fields.find((name) => name === field);
    if (known) found[known] ??= message;
  }
  return found;
}
