import type { Language } from "#contract/languages.ts";
import headEn from "#locales/en/head.json" with { type: "json" };
import en from "#locales/en/site.json" with { type: "json" };
import headTr from "#locales/tr/head.json" with { type: "json" };
import tr from "#locales/tr/site.json" with { type: "json" };

/** Texts of the public pages and of their heads, by language. */
export const TEXTS: Readonly<Record<Language, typeof en & { head: typeof headEn }>> = {
  en: { ...en, head: headEn },
  tr: { ...tr, head: headTr },
};
