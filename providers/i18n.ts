import type { I18nProvider } from "@refinedev/core";
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import type { ConsoleTexts } from "#locales/console-texts.ts";

/**
 * One file per area, found in its folder: what is called `admin…`, and the words that the console shares with mails. Their types
 * are listed in `locales/console-texts.ts` (`npm run texts`).
 */
const FILES = import.meta.glob<Readonly<Record<string, unknown>>>(
  ["../locales/*/admin*.json", "../locales/*/mail-codes.json", "../locales/*/mail-stop-reasons.json"],
  { eager: true, import: "default" },
);

/** The texts of all areas. @throws Error that names the first key that two areas have: one would hide the other's texts. */
export function mergeAreas(files: typeof FILES, lang: Language): Readonly<Record<string, unknown>> {
  const texts: Record<string, unknown> = {};
  for (const [file, area] of Object.entries(files)) {
    if (!file.includes(`/${lang}/`)) continue;
    const twice = Object.keys(area).find((key) => key in texts);
    if (twice !== undefined) throw new Error(`${file} begins with "${twice}", as another area does`);
    Object.assign(texts, area);
  }
  return texts;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "admin";
    resources: { admin: ConsoleTexts };
  }
}

/** The console's texts in both languages, ready before the first drawing. React escapes what it draws, so i18next doesn't. */
export function createI18n(lang: Language): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: lang,
    fallbackLng: "en",
    defaultNS: "admin",
    ns: ["admin"],
    resources: { en: { admin: mergeAreas(FILES, "en") }, tr: { admin: mergeAreas(FILES, "tr") } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}

/** Lets Refine's own hooks read the same texts. Refine passes a default text second or third; a key without a text gives it back. */
export function createI18nProvider(instance: i18n): I18nProvider {
  return {
    translate(key, options, defaultMessage) {
      const fallback: string = typeof options === "string" ? options : (defaultMessage ?? key);
      if (!instance.exists(key)) return fallback;
      // Refine's keys are plain strings; `exists` has just checked this one.
      return String(instance.t(key as "nav.models", typeof options === "object" ? options : {}));
    },
    changeLocale: (lang) => instance.changeLanguage(lang),
    getLocale: () => instance.language,
  };
}
