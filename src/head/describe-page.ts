import type { PageRequest } from "#contract/page.ts";
import { getScreen } from "../public-screens.tsx";
import type { HeadText } from "./head-text.ts";

const DESCRIPTION_MAX_CHARS = 160;

/** What a page calls itself in a tab, a search result and a link preview. */
export interface PageDescription {
  title: string;
  /** One line that fits a search result; empty where there is nothing to say. */
  description: string;
}

type PageSource = Pick<PageRequest, "data" | "site">;

/** One line, cut at a word. */
function toLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= DESCRIPTION_MAX_CHARS) return line;
  const cut = line.slice(0, DESCRIPTION_MAX_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), DESCRIPTION_MAX_CHARS / 2))}…`;
}

/** Micromark writes no other entities. */
const READ_ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** The text of a page's first paragraph. */
function toFirstParagraph(html: string): string {
  const paragraph = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  return paragraph.replace(/<[^>]*>/g, "").replace(/&\w+;/g, (entity) => READ_ENTITIES[entity] ?? entity);
}

/** "<screen> – <author>"; the CV is the author's own page and says who that is. */
export function describePage({ data, site }: PageSource, t: HeadText): PageDescription {
  const { title, text, html } = getScreen(data.screen).describe(data, site, t);
  const words = data.screen === "cv" && data.cv.name ? [data.cv.name, data.cv.title] : [title, site.author];
  const description = text ?? toFirstParagraph(html ?? "");
  return { title: words.filter(Boolean).join(" – "), description: toLine(description) };
}
