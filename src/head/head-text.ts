import type head from "#locales/en/head.json";
import type { PublicTexts, TextKey } from "../ui/public-text.ts";

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
