import type contact from "#locales/en/contact.json";
import type head from "#locales/en/head.json";
import type site from "#locales/en/site.json";

/** Locale files that public pages read, in one language. */
export type PublicTexts = { site: typeof site; contact: typeof contact };

/** Paths through a file; a counted text (`name_one`, `name_other`) goes by its stem. */
type PathOf<T> = {
  [K in keyof T & string]: T[K] extends string ? StemOf<K> : `${K}.${PathOf<T[K]>}`;
}[keyof T & string];
type StemOf<K extends string> = K extends `${infer Stem}_${"one" | "other"}` ? Stem : K;

/** Keys of a set of locale files: `file:group.name`. */
export type TextKey<Files> = {
  [File in keyof Files & string]: `${File}:${PathOf<Files[File]>}`;
}[keyof Files & string];

export type PublicTextKey = TextKey<PublicTexts>;

/** `t()` of public pages: a key and the values of its `{{slots}}`. */
export type PublicText = (key: PublicTextKey, vars?: Readonly<Record<string, string | number>>) => string;

/** Texts that only heads say. The first page's head comes with its HTML, so they come with the first move to another one. */
export type HeadTexts = { head: typeof head };
export type HeadTextKey = TextKey<PublicTexts & HeadTexts>;

/** `t()` of heads: what the pages say, and what only their heads do. */
export type HeadText = (key: HeadTextKey) => string;

/** What a screen says of itself in the head: its name, and a text or HTML to take a line from. */
export interface ScreenWords {
  title: string;
  text?: string | undefined;
  html?: string;
}
