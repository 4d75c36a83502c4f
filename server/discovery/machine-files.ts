import { LANGUAGES, type Language } from "#contract/languages.ts";
import type { PageData } from "#contract/page.ts";
import type { SiteInfo } from "#contract/site.ts";
import type { OpenPage, Overview } from "./service.ts";
import { TEXTS } from "./texts.ts";

/** One line of Markdown without markup: text of the owner is text. */
function toPlain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#]/g, "\\$&");
}

function toLink(name: string, address: string, note = ""): string {
  return `- [${toPlain(name)}](${address})${note && `: ${toPlain(note)}`}`;
}

function nameScreen(
  data: PageData,
  lang: Language,
  { open_features }: SiteInfo,
): { name: string; note?: string } {
  const { layout, head, cv, dev } = TEXTS[lang];
  switch (data.screen) {
    case "cv":
      return { name: cv.title, note: [data.cv.name, data.cv.title].filter(Boolean).join(" – ") };
    case "contact":
      return { name: layout.contact, note: head.contact };
    case "dev":
      return { name: dev.title, note: open_features.length > 0 ? head.dev : dev.leadLater };
    case "text":
      return { name: data.page.title };
    default:
      throw new Error(`${data.screen} is not for search engines`);
  }
}

function toLinks(origin: string, page: OpenPage, lang: Language, site: SiteInfo): string[] {
  const { name, note } = nameScreen(page.data[lang], lang, site);
  const links = [toLink(name, `${origin}/${lang}${page.path}`, note)];
  const { json, jsonNote } = TEXTS[lang].head;
  if (page.path === "/cv") links.push(toLink(json, `${origin}/cv.json?lang=${lang}`, jsonNote));
  return links;
}

function findSummary(pages: readonly OpenPage[]): string {
  const cv = pages.map(({ data }) => data.en).find((data) => data.screen === "cv")?.cv;
  return cv ? [cv.title, cv.tagline].filter(Boolean).join(" – ") : "";
}

/** `/llms.txt` (llmstxt.org): who this is, in one line what they do, and the pages in both languages. */
export function buildLlms(origin: string, { site, pages }: Overview): string {
  const summary = site.has_sample ? TEXTS.en.layout.sample : findSummary(pages);
  const names = { en: TEXTS.en.layout.english, tr: TEXTS.en.layout.turkish };
  const parts = [`# ${toPlain(site.author || new URL(origin).host)}`];
  if (summary) parts.push(`> ${toPlain(summary)}`);
  for (const lang of pages.length > 0 ? LANGUAGES : []) {
    parts.push(`## ${names[lang]}`, pages.flatMap((page) => toLinks(origin, page, lang, site)).join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}
