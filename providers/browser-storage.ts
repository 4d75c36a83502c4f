import { LANGUAGE_KEY, LANGUAGES, type Language } from "#contract/languages.ts";

/** Where the refresh token lies; the access token never leaves the memory of its page. */
export const REFRESH_TOKEN_KEY = "refresh_token";
/** What is remembered of the signed-in person (providers/http/auth-state.ts). */
export const AUTH_STATE_KEY = "auth_state";
/** In the tab's own storage: why the log-in page is shown, in words. */
export const LOGIN_NOTICE_KEY = "login-notice";

export type KeyStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface SafeStorage extends KeyStorage {
  /** Everything whose key begins so. */
  removeAll(prefix: string): void;
}

/**
 * `localStorage` where it works, else the memory of this page: storage is missing on the server, throws where cookies are
 * blocked, and throws when it is full.
 */
export function createSafeStorage(
  getStorage: () => KeyStorage | undefined = () => globalThis.localStorage,
): SafeStorage {
  const memory = new Map<string, string>();
  const attempt = <T>(use: (storage: KeyStorage) => T): T | undefined => {
    try {
      const storage = getStorage();
      return storage && use(storage);
    } catch {
      // The memory below stands in.
      return undefined;
    }
  };
  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      const isStored = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (isStored) memory.delete(key);
      else memory.set(key, value);
    },
    removeItem(key) {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    removeAll: (prefix) =>
      attempt((storage) => {
        for (const key in storage) if (key.startsWith(prefix)) storage.removeItem(key);
      }),
  };
}

const COOKIE_LIFE_S = 365 * 24 * 60 * 60;

/** The language chosen in this browser, on whichever side of the site; undefined when none was. */
export function readPreferredLanguage(storage: KeyStorage): Language | undefined {
  const saved = storage.getItem(LANGUAGE_KEY);
  return LANGUAGES.find((lang) => lang === saved);
}

function setCookie(lang: Language) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${LANGUAGE_KEY}=${lang}; path=/; max-age=${COOKIE_LIFE_S}; samesite=lax${secure}`;
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
