import { micromark } from "micromark";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { SiteInfo, TextPage } from "#contract/site.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { type OwnerRow, selectOwner, selectPage, selectSettings } from "./store.ts";

/** Models that every public page depends on through the site's own data. */
export const SITE_MODELS: readonly string[] = ["site.settings", "cv.profile", "cv.link"];
export const PAGE_MODEL = "site.page";

const DEFAULT_MAP_SEARCH = "https://www.openstreetmap.org/search?query=";

export interface SiteService {
  /** @param models keys of the models that the page shows; sample content in one of them makes `has_sample` true. */
  getSite(models: readonly string[]): Promise<SiteInfo>;
  /** A page of text, each part falling back to the other language; undefined when there is none. */
  getPage(slug: string, lang: Language): Promise<TextPage | undefined>;
}

/** The CV's link to a network, found by the name or the host that people write. */
function findLink(owner: OwnerRow | undefined, network: string): string | null {
  const link = owner?.links.find(
    ({ network: name, url }) =>
      name?.trim().toLowerCase() === network || URL.parse(url ?? "")?.hostname.includes(`${network}.`),
  );
  return link?.url ?? null;
}

function pick(text: { en: string | null; tr: string | null }, lang: Language): string {
  return text[lang] || text[lang === "en" ? "tr" : "en"] || "";
}

/** Settings of the site and its pages of text. What the settings leave empty comes from the CV. */
export function createSiteService(pool: pg.Pool): SiteService {
  return {
    async getSite(models) {
      const [settings, owner, hasSample] = await Promise.all([
        selectSettings(pool),
        selectOwner(pool),
        hasSampleRows(pool, models),
      ]);
      return {
        author: settings?.author ?? owner?.name ?? "",
        email: settings?.email ?? owner?.email ?? null,
        github: settings?.github_url ?? findLink(owner, "github"),
        linkedin: settings?.linkedin_url ?? findLink(owner, "linkedin"),
        steam: settings?.steam_url ?? findLink(owner, "steam"),
        map_search: settings?.map_search_url || DEFAULT_MAP_SEARCH,
        features: settings?.shows_voice_chat === false ? [] : ["voice-chat"],
        has_sample: hasSample,
      };
    },

    async getPage(slug, lang) {
      const row = await selectPage(pool, slug);
      if (!row) return undefined;
      return {
        slug: row.slug,
        lang,
        title: pick(row.title, lang),
        // Without `allowDangerousHtml` HTML of the author is text, and addresses like `javascript:` are dropped.
        html: micromark(pick(row.body, lang)),
        updated_on: new Date(row.updated_at).toISOString().slice(0, 10),
      };
    },
  };
}
