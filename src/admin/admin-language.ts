import type { AccountUser } from "#contract/accounts.ts";
import { LANGUAGE_KEY, type Language, toLanguage } from "#contract/languages.ts";
import type { KeyStorage } from "#providers/safe-storage.ts";

const COOKIE_LIFE_S = 365 * 24 * 60 * 60;

/** The choice of one person in this browser; the profile's own language counts until there is one. */
function choiceKey(user: Pick<AccountUser, "id">): string {
  return `admin-language:${user.id}`;
}

export function readAdminLanguage(storage: KeyStorage, user: AccountUser): Language {
  return toLanguage(storage.getItem(choiceKey(user)) ?? user.profile.admin_language);
}

/** Remembers a choice for the console, and as the site's own `preferred-language` with its cookie. */
export function saveLanguage(storage: KeyStorage, user: AccountUser, lang: Language): void {
  storage.setItem(choiceKey(user), lang);
  storage.setItem(LANGUAGE_KEY, lang);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${LANGUAGE_KEY}=${lang}; path=/; max-age=${COOKIE_LIFE_S}; samesite=lax`;
}
