import type { Language } from "#contract/languages.ts";
import en from "#locales/en/site.json" with { type: "json" };
import tr from "#locales/tr/site.json" with { type: "json" };

/** Texts of the public pages, by language. */
export const TEXTS: Readonly<Record<Language, typeof en>> = { en, tr };
