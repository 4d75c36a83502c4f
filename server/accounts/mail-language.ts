import type { Language } from "#contract/languages.ts";
import type { Account } from "./account.ts";

/** The language of mails to a person. */
export function toMailLanguage({ admin_language }: Pick<Account, "admin_language">): Language {
  return admin_language ?? "en";
}
