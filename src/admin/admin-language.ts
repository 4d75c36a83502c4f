import type { AccountUser } from "#contract/accounts.ts";
import { LANGUAGE_KEY, type Language, toLanguage } from "#contract/languages.ts";
import type { KeyStorage } from "#providers/safe-storage.ts";

const COOKIE_LIFE_S = 365 * 24 * 60 * 60;

/** The language chosen in this browser, on whichever side of the site; else the profile's. */
export function readAdminLanguage(storage: KeyStorage, user: AccountUser): Language {
  return toLanguage(storage.getItem(LANGUAGE_KEY) ?? user.profile.admin_language);
}

/** Remembers a choice as the site's `preferred-language` with its cookie. */
export function saveLanguage(storage: KeyStorage, lang: Language): void {
  storage.setItem(LANGUAGE_KEY, lang);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${LANGUAGE_KEY}=${lang}; path=/; max-age=${COOKIE_LIFE_S}; samesite=lax`;
}
