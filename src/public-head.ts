import { LANGUAGES } from "#contract/languages.ts";
import type { PageRequest } from "#contract/page.ts";
import { isIndexed } from "#contract/site/indexing.ts";
import { SCREENS } from "#contract/site/pages.ts";
import { escapeHtml } from "./head/build-head.ts";
import { describePage } from "./head/describe-page.ts";
import type { HeadText } from "./head/head-text.ts";
import { toProfileRecord } from "./head/profile-record.ts";
import { toScriptJson } from "./head/script-json.ts";
import { toShareTags } from "./head/share-tags.ts";

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
