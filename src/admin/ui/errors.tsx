import type { TFunction } from "i18next";
import * as z from "zod/mini";
import { UNKNOWN_ERROR } from "#providers/failure.ts";
import { NO_VALID_TOKEN } from "#providers/http.ts";
import { UNKNOWN_QUERY } from "#providers/own-query.ts";

const failure = z.object({ message: z.string(), code: z.optional(z.string()) });

/** What went wrong, in the reader's language: the server's words, or ours where only the browser said something. */
export function toErrorText(error: unknown, t: TFunction): string {
  // An answer that isn't the documented one; its message is the schema's JSON.
  if (error instanceof z.core.$ZodError) return t("errors.unknown");
  const { code, message = "" } = failure.safeParse(error).data ?? {};
  if (code === "network_error") return t("errors.start");
  if (code === NO_VALID_TOKEN) return t("errors.noToken");
  if (code === UNKNOWN_QUERY) return t("errors.unknownQuery");
  return message === "" || message === UNKNOWN_ERROR ? t("errors.unknown") : message;
}
