import type { Language } from "#contract/languages.ts";
import en from "#locales/en/tables.json" with { type: "json" };
import tr from "#locales/tr/tables.json" with { type: "json" };

const NAMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, tr };

/** How people call the rows of a table that is no model's, such as sessions; undefined where it has no such name. */
export function findTableName(table: string, lang: Language): string | undefined {
  return NAMES[lang][table];
}
