import type { ContactAnswer } from "#contract/site/contact.ts";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import type { PublicText } from "../../ui/public-text.ts";

/** The documented text of an answer that says no (specification A section 8). */
export function toRefusalText({ error, details }: ContactAnswer, t: PublicText): string {
  return error || details || t("contact:toast.failed");
}

/** The documented text of a call that failed. The server's words are for people; a browser's own ("Failed to fetch") are not. */
export function toFailureText(error: unknown, t: PublicText): string {
  if (!(error instanceof HttpError) || error.code === "unexpected_answer") return t("contact:toast.generic");
  if (error.code === "network_error" || error.message === UNKNOWN_ERROR) return t("contact:toast.sorry");
  return error.message;
}
