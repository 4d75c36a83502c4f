import type { PageData } from "./page.ts";
import type { SiteInfo } from "./site.ts";

/** Screens of the visitor's own: a note that "this person is made up" would be read as meaning them. */
const OWN_SCREENS: ReadonlySet<PageData["screen"]> = new Set([
  "login",
  "register",
  "verify-email",
  "forgot-password",
  "setup",
  "profile",
  "unsubscribe",
]);

/** Whether content that came with the product is shown: the page says so, and search engines are kept away. */
export function showsSample(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (OWN_SCREENS.has(data.screen)) return false;
  return site.has_sample || (data.screen === "cv" && data.cv.has_sample);
}

/**
 * Whether search engines are invited to a page: its head, the sitemap and llms.txt agree by this one rule. A screen that
 * is a way to something else is not content; a CV without a name is empty; content that came with the product is nobody's.
 */
export function isIndexed(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (showsSample(data, site)) return false;
  switch (data.screen) {
    case "cv":
      return data.cv.name !== "";
    case "contact":
    case "dev":
    case "text":
      return true;
    case "login":
    case "register":
    case "verify-email":
    case "forgot-password":
    case "setup":
    case "unsubscribe":
    case "profile":
    case "later":
    case "not-found":
      return false;
  }
}
