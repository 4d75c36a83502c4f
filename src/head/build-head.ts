import { LANGUAGES, type Language } from "#contract/languages.ts";
import { isIndexed, type PageRequest, SCREENS } from "#contract/site/pages.ts";
import { getScreen } from "../public-screens.tsx";
import type { HeadText } from "../ui/public-text.ts";
import { toProfileRecord } from "./profile-record.ts";

const HTML_ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

const JSON_ESCAPES: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that can't end its script element and that old parsers take as JavaScript too. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => JSON_ESCAPES[character] ?? "");
}

const DESCRIPTION_MAX_CHARS = 160;

/** What a page calls itself in a tab, a search result and a link preview. */
interface PageDescription {
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
function describePage({ data, site }: PageSource, t: HeadText): PageDescription {
  const { title, text, html } = getScreen(data.screen).describe(data, site, t);
  const words = data.screen === "cv" && data.cv.name ? [data.cv.name, data.cv.title] : [title, site.author];
  const description = text ?? toFirstParagraph(html ?? "");
  return { title: words.filter(Boolean).join(" – "), description: toLine(description) };
}

/** Attribute, name and value of a `<meta>`. */
export type MetaTag = readonly ["property" | "name", string, string];

const LOCALES: Record<Language, string> = { en: "en_US", tr: "tr_TR" };

/** The picture of the site's own preview (contract/site/site.ts), always of this size. */
const PICTURE = { width: "1200", height: "630", type: "image/jpeg" };

function toPictureTags(address: string, alt: string): MetaTag[] {
  return [
    ["property", "og:image", address],
    ["property", "og:image:type", PICTURE.type],
    ["property", "og:image:width", PICTURE.width],
    ["property", "og:image:height", PICTURE.height],
    ["property", "og:image:alt", alt],
    ["name", "twitter:image", address],
    ["name", "twitter:image:alt", alt],
  ];
}

/** Open Graph (ogp.me) and Twitter tags. `address` is null where the page has none of its own to share. */
function toShareTags(
  { lang, data, site, origin }: PageRequest,
  { title, description }: PageDescription,
  address: string | null,
): MetaTag[] {
  const other = lang === "en" ? "tr" : "en";
  const tags: MetaTag[] = [
    ["property", "og:type", data.screen === "cv" ? "profile" : "website"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", address ?? ""],
    ["property", "og:site_name", site.author],
    ["property", "og:locale", LOCALES[lang]],
    ["property", "og:locale:alternate", LOCALES[other]],
    ["name", "twitter:card", site.preview ? "summary_large_image" : "summary"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ...(site.preview ? toPictureTags(`${origin}${site.preview}`, title) : []),
  ];
  return tags.filter(([, , content]) => content !== "");
}

/**
 * The page's own address and those of its languages. The canonical one is the page's own: `/cv` that named `/en/cv`
 * while being the x-default of the alternates costs search engines' trust.
 */
function toAddressTags({ origin, prefix, path }: PageRequest): string[] {
  const addressOf = (prefixOfPage: string) => escapeHtml(`${origin}${prefixOfPage}${path}`);
  return [
    `<link rel="canonical" href="${addressOf(prefix)}">`,
    ...LANGUAGES.map((lang) => `<link rel="alternate" hreflang="${lang}" href="${addressOf(`/${lang}`)}">`),
    `<link rel="alternate" hreflang="x-default" href="${addressOf("")}">`,
  ];
}

/** The tags of a page's `<head>` as HTML, for the server's template and for the browser's own navigation. */
export function buildHead(request: PageRequest, t: HeadText): string {
  const { origin, prefix, path, data, site } = request;
  const description = describePage(request, t);
  const isOpen = isIndexed(data, site);
  // The others answer to addresses that lead elsewhere or to nothing.
  const hasAddress = SCREENS[data.screen].indexing === "content";
  const tags = [`<title>${escapeHtml(description.title)}</title>`];
  if (description.description)
    tags.push(`<meta name="description" content="${escapeHtml(description.description)}">`);
  if (!isOpen) tags.push('<meta name="robots" content="noindex">');
  if (hasAddress) tags.push(...toAddressTags(request));
  for (const [kind, name, content] of toShareTags(
    request,
    description,
    hasAddress ? `${origin}${prefix}${path}` : null,
  ))
    tags.push(`<meta ${kind}="${name}" content="${escapeHtml(content)}">`);
  if (data.screen === "cv" && isOpen) {
    const record = toScriptJson(toProfileRecord(data.cv, request));
    tags.push(`<script type="application/ld+json">${record}</script>`);
  }
  return tags.join("\n");
}
