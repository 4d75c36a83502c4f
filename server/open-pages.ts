import { takesStrangers } from "#contract/site/pages.ts";
import { backUpBeforeImport, type FormerStateOptions } from "./backup/former-state.ts";
import type { ContentService } from "./content/service.ts";
import { openImports } from "./cv/import/routes.ts";
import { registerPdf } from "./cv/pdf.ts";
import { registerCvRoutes } from "./cv/routes.ts";
import { createCvService } from "./cv/service.ts";
import { createChangeCache } from "./db/change-feed.ts";
import { registerDiscoveryRoutes } from "./discovery/routes.ts";
import { createDiscoveryService } from "./discovery/service.ts";
import type { Floor } from "./floor.ts";
import type { CacheFigures } from "./http/pages/html-cache.ts";
import type { PageAssets } from "./http/pages/page-assets.ts";
import { toPageDefinitions } from "./http/pages/page-definitions.ts";
import { type AnswerOnce, PREFIXES, registerPages, type SiteSource } from "./http/pages/pages.ts";
import { getPageLanguage } from "./http/request.ts";
import type { App } from "./http/zod.ts";
import type { RecordWriter } from "./models/record-writer.ts";
import { createPageFacts } from "./page-facts.ts";
import type { PictureService } from "./pictures/service.ts";
import { registerCspReports } from "./site/csp-reports.ts";
import { registerDraftRoutes } from "./site/draft-routes.ts";
import { DEFAULT_LOOK, toLookTags } from "./site/look.ts";
import { createMarkdown, createMarkdownThread, type ParseMarkdown } from "./site/markdown.ts";
import { createPageAddresses } from "./site/page-addresses.ts";
import { createPageWriter } from "./site/page-writer.ts";
import { registerSiteRoutes } from "./site/routes.ts";
import {
  type Appearance,
  createSiteService,
  FRAME_MODELS,
  NO_SITE,
  PAGE_MODEL,
  SITE_MODELS,
  type SiteService,
} from "./site/service.ts";

export interface PageOptions {
  /** Gives the browser app, built or from Vite, and registers its files. */
  openAssets: (app: App) => Promise<PageAssets>;
  /** Left out: in a thread of its own. */
  parseMarkdown?: ParseMarkdown;
}

function toBackupOptions({ config, stores, version, now, log }: Floor): FormerStateOptions {
  const isSkipped = config.skipBackup ?? false;
  return {
    dataDir: config.dataDir,
    stores: stores.remote,
    keysSecret: config.keysSecret,
    appVersion: version,
    isSkipped,
    now,
    onProgress: (line) => log.info(line),
  };
}

interface PageDeps extends PageOptions {
  pictures: Pick<PictureService, "drawPreview" | "getPreviewVersion" | "getDrawnSize" | "icons">;
}

/** The public pages with what they show: the CV, texts of the owner, and what machines read of all of them. */
export async function openPages(
  app: App,
  floor: Floor,
  { openAssets, site, content }: PageOptions & { site: SiteService; content: Pick<ContentService, "create"> },
): Promise<{ answerOnce: AnswerOnce; pageCache: CacheFigures }> {
  const { pool, registry } = floor;
  const { publicUrl } = floor.config;
  const cv = createCvService({ pool, registry, publicUrl });
  await cv.ensureSections();
  registerCvRoutes(app, cv, publicUrl);
  registerPdf(app, floor);
  openImports(app, floor, { backUp: () => backUpBeforeImport(floor.exportPool, toBackupOptions(floor)) });
  const appearances = createChangeCache<Appearance>(floor.feed, 1);
  const getAppearance = () =>
    appearances.get("appearance", { models: FRAME_MODELS, load: site.getAppearance });
  registerSiteRoutes(app, { ...site, getAppearance });
  await registerCspReports(app, floor);

  const siteSource: SiteSource = {
    models: FRAME_MODELS,
    datedBy: SITE_MODELS,
    load: site.getSite,
    loadLook: async () => toLookTags(await getAppearance()),
    none: NO_SITE,
    noLook: toLookTags({ look: DEFAULT_LOOK, iconVersion: "" }),
  };
  const definitions = toPageDefinitions({
    cv: { models: cv.models, load: async (lang) => ({ screen: "cv", cv: await cv.getCv(lang) }) },
    dev: { models: cv.hubModels, load: async (lang) => ({ screen: "dev", hub: await cv.getHub(lang) }) },
    contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
    register: {
      models: [],
      async load(lang) {
        const { registration } = await site.getSite(lang);
        return { screen: takesStrangers(registration) ? "register" : "admission" };
      },
    },
    text: {
      models: [PAGE_MODEL],
      async load(lang, path) {
        const page = await site.getPage(path.slice(1), lang);
        return page ? { screen: "text", page } : null;
      },
      addresses: createPageAddresses(floor),
    },
  });
  const discovery = createDiscoveryService({ ...floor, site: siteSource, definitions });
  registerDiscoveryRoutes(app, { ...floor, discovery, publicUrl });
  const assets = await openAssets(app);
  const { answerOnce, drawDraft, pageCache } = registerPages(app, {
    ...floor,
    site: siteSource,
    assets,
    publicUrl,
    definitions,
  });
  registerDraftRoutes(app, { ...floor, content, toDraftPage: site.toDraftPage, drawDraft });
  const fronts = createChangeCache<string>(floor.feed, PREFIXES.length);
  for (const prefix of PREFIXES) {
    app.get(prefix || "/", { schema: { hide: true } }, async (request, reply) => {
      const lang = getPageLanguage(request, prefix);
      const load = async () => (await site.getSite(lang)).front;
      const front = await fronts.get(lang, { models: FRAME_MODELS, load });
      // Asked for each time: the owner may choose another one.
      reply.header("Cache-Control", "no-cache");
      if (prefix === "") reply.header("Vary", "Accept-Language, Cookie");
      return reply.redirect(prefix + front);
    });
  }
  return { answerOnce, pageCache };
}

/**
 * The site's own data, and the writers of its models by their keys: the engine of content asks them, and no other rules hold at any
 * endpoint.
 */
export function openSite(
  floor: Omit<Floor, "requireLevel" | "requireRecent">,
  { pictures, parseMarkdown = createMarkdownThread() }: Pick<PageDeps, "pictures" | "parseMarkdown">,
): { site: SiteService; writers: ReadonlyMap<string, RecordWriter> } {
  const { pool, registry, config, log } = floor;
  const markdown = createMarkdown({ parse: parseMarkdown, log });
  const { publicUrl } = config;
  const site = createSiteService({ pool, pictures, publicUrl, facts: createPageFacts(config), markdown });
  return { site, writers: new Map([[PAGE_MODEL, createPageWriter(registry, site.layOut)]]) };
}
