import type { PageData } from "./page.ts";
import { SCREENS } from "./site/pages.ts";
import type { SiteInfo } from "./site/site.ts";

/** Whether content that came with the product is shown: the page says so, and search engines are kept away. */
export function showsSample(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (SCREENS[data.screen].isOwn) return false;
  return site.has_sample || (data.screen === "cv" && data.cv.has_sample);
}
