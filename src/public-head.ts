import { LANGUAGES } from "#contract/languages.ts";
import type { PageRequest } from "#contract/page.ts";
import type { PublicText } from "./ui/public-text.ts";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const DESCRIPTION_MAX_CHARS = 160;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** One line that fits a search result, cut at a word. */
function toDescription(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= DESCRIPTION_MAX_CHARS) return line;
  const cut = line.slice(0, DESCRIPTION_MAX_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), DESCRIPTION_MAX_CHARS / 2))}…`;
}

/** What a screen calls itself. A screen without an address of its own to share is not for search engines. */
function describeScreen(data: PageRequest["data"], t: PublicText) {
  switch (data.screen) {
    case "cv": {
      const { name, title, tagline, description } = data.cv;
      return {
        title: [name, title].filter(Boolean).join(" – ") || t("site:cv.title"),
        description: toDescription(tagline || description),
        isIndexed: name !== "",
      };
    }
    case "contact":
      return { title: t("site:layout.contact"), description: "", isIndexed: true };
    case "dev":
      return { title: t("site:layout.dev"), description: "", isIndexed: true };
    case "text":
      return { title: data.page.title, description: "", isIndexed: true };
    case "profile":
      return { title: t("site:layout.profile"), description: "", isIndexed: false };
    case "later":
      return { title: t("site:later.title"), description: "", isIndexed: false };
    case "login":
      return { title: t("account:login.title"), description: "", isIndexed: false };
    case "not-found":
      return { title: t("site:notFound.title"), description: "", isIndexed: false };
  }
}

/**
 * The tags of a page's `<head>` as HTML. The canonical address is the page's own one: `/cv` that named `/en/cv`
 * while being the x-default of the alternates costs search engines' trust.
 */
export function buildHead({ origin, prefix, path, data }: PageRequest, t: PublicText): string {
  const { title, description, isIndexed } = describeScreen(data, t);
  const tags = [`<title>${escapeHtml(title)}</title>`];
  if (description) tags.push(`<meta name="description" content="${escapeHtml(description)}">`);
  if (!isIndexed) return [...tags, '<meta name="robots" content="noindex">'].join("\n");
  const addressOf = (prefixOfPage: string) => escapeHtml(`${origin}${prefixOfPage}${path}`);
  tags.push(`<link rel="canonical" href="${addressOf(prefix)}">`);
  for (const lang of LANGUAGES) {
    tags.push(`<link rel="alternate" hreflang="${lang}" href="${addressOf(`/${lang}`)}">`);
  }
  tags.push(`<link rel="alternate" hreflang="x-default" href="${addressOf("")}">`);
  return tags.join("\n");
}
