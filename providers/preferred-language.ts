import { LANGUAGE_KEY, LANGUAGES, type Language } from "#contract/languages.ts";
import type { KeyStorage } from "./safe-storage.ts";

const COOKIE_LIFE_S = 365 * 24 * 60 * 60;

/** The language chosen in this browser, on whichever side of the site; undefined when none was. */
export function readPreferredLanguage(storage: KeyStorage): Language | undefined {
  const saved = storage.getItem(LANGUAGE_KEY);
  return LANGUAGES.find((lang) => lang === saved);
}

function setCookie(lang: Language) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${LANGUAGE_KEY}=${lang}; path=/; max-age=${COOKIE_LIFE_S}; samesite=lax`;
}

/** Remembers a choice (`preferred-language`), and as a cookie of the same name, so that the server draws pages in it. */
export function savePreferredLanguage(storage: KeyStorage, lang: Language): void {
  storage.setItem(LANGUAGE_KEY, lang);
  setCookie(lang);
}

/** Gives the server the choice again when the cookie was lost and the storage was not. */
export function mirrorPreferredLanguage(storage: KeyStorage): void {
  const saved = readPreferredLanguage(storage);
  if (saved && !document.cookie.includes(`${LANGUAGE_KEY}=`)) setCookie(saved);
}
