import type { I18nProvider } from "@refinedev/core";
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/admin.json" with { type: "json" };
import tr from "#locales/tr/admin.json" with { type: "json" };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "admin";
    resources: { admin: typeof en };
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
    resources: { en: { admin: en }, tr: { admin: tr } },
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
