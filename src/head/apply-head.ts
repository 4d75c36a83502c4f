import type { Language } from "#contract/languages.ts";
import type { PageRequest } from "#contract/site/pages.ts";
import { createText } from "#providers/text.ts";
import type { HeadTextKey, HeadTexts, PublicTexts } from "../ui/public-text.ts";
import { trustHtml } from "../ui/trusted-types.ts";
import { buildHead } from "./build-head.ts";

const HEAD_TEXTS: Record<Language, () => Promise<{ texts: HeadTexts }>> = {
  en: () => import("./head-texts-en.ts"),
  tr: () => import("./head-texts-tr.ts"),
};

/** The tags that `buildHead` makes; all others of the document stay. */
const OF_THE_PAGE = [
  "title",
  'meta[name="description"]',
  'meta[name="robots"]',
  'meta[name^="twitter:"]',
  "meta[property]",
  'link[rel="canonical"]',
  'link[rel="alternate"]',
  'script[type="application/ld+json"]',
].join(",");

let newest: PageRequest | undefined;

/** Gives the document the head of another page, as the server would have written it. */
export async function applyHead(request: PageRequest, texts: PublicTexts): Promise<void> {
  newest = request;
  const own = await HEAD_TEXTS[request.lang]();
  // Another page was shown in the meantime.
  if (newest !== request) return;
  const t = createText<HeadTextKey>(request.lang, { ...texts, ...own.texts });
  const html = trustHtml(buildHead(request, t)) as string; // TypeScript's DOM knows no other
  const { head } = new DOMParser().parseFromString(html, "text/html");
  for (const tag of document.head.querySelectorAll(OF_THE_PAGE)) tag.remove();
  document.head.append(...head.children);
}
