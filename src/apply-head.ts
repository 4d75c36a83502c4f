import type { PageRequest } from "#contract/page.ts";
import { buildHead } from "./public-head.ts";
import type { PublicText } from "./ui/public-text.ts";

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

/** Gives the document the head of another page, as the server would have written it. */
export function applyHead(request: PageRequest, t: PublicText): void {
  const head = new DOMParser().parseFromString(buildHead(request, t), "text/html").head;
  for (const tag of document.head.querySelectorAll(OF_THE_PAGE)) tag.remove();
  document.head.append(...head.children);
}
