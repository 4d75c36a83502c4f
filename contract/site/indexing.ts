import { type PageData, SCREENS, showsSample } from "./pages.ts";
import type { SiteInfo } from "./site.ts";

/**
 * Whether search engines are invited to a page: its head, the sitemap and llms.txt agree by this one rule. A screen that
 * is a way to something else is not content; a CV without a name is empty; content that came with the product is nobody's.
 */
export function isIndexed(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (showsSample(data, site) || SCREENS[data.screen].indexing === "none") return false;
  return data.screen !== "cv" || data.cv.name !== "";
}
