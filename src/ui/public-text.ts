import type account from "#locales/en/account.json";
import type contact from "#locales/en/contact.json";
import type site from "#locales/en/site.json";

/** Locale files that public pages read, in one language. */
export type PublicTexts = { site: typeof site; account: typeof account; contact: typeof contact };

/** Paths through a file; a counted text (`name_one`, `name_other`) goes by its stem. */
type PathOf<T> = {
  [K in keyof T & string]: T[K] extends string ? StemOf<K> : `${K}.${PathOf<T[K]>}`;
}[keyof T & string];
type StemOf<K extends string> = K extends `${infer Stem}_${"one" | "other"}` ? Stem : K;

export type PublicTextKey = {
  [File in keyof PublicTexts]: `${File}:${PathOf<PublicTexts[File]>}`;
}[keyof PublicTexts];

/** `t()` of public pages: a key and the values of its `{{slots}}`. */
export type PublicText = (key: PublicTextKey, vars?: Readonly<Record<string, string | number>>) => string;
