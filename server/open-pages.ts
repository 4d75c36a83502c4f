import type { HubFeature } from "#contract/site/site.ts";
import { backUpBeforeImport, type FormerStateOptions } from "./backup/former-state.ts";
import { openImports } from "./cv/import/routes.ts";
import { registerCvRoutes } from "./cv/routes.ts";
import { createCvService } from "./cv/service.ts";
import { registerDiscoveryRoutes } from "./discovery/routes.ts";
import { createDiscoveryService } from "./discovery/service.ts";
import type { Floor } from "./floor.ts";
import type { PageAssets } from "./http/pages/page-assets.ts";
import { type AnswerOnce, PREFIXES, registerPages, toPageDefinitions } from "./http/pages/pages.ts";
import type { App } from "./http/zod.ts";
import { createPageFacts } from "./page-facts.ts";
import type { PictureService } from "./pictures/service.ts";
import { registerSiteRoutes } from "./site/routes.ts";
import { createSiteService, NO_SITE, PAGE_MODEL, SITE_MODELS, type SiteService } from "./site/service.ts";

/** What of the developer hub is here by now; the cards of the others say that they aren't open yet. */
const OPEN_FEATURES: readonly HubFeature[] = ["voice-chat"];

export interface PageOptions {
  /** Gives the browser app, built or from Vite, and registers its files. */
  openAssets: (app: App) => Promise<PageAssets>;
}

function toBackupOptions({ config, version, now, log }: Floor): FormerStateOptions {
  const isSkipped = config.skipBackup ?? false;
  return {
    dataDir: config.dataDir,
    appVersion: version,
    isSkipped,
    now,
    onProgress: (line) => log.info(line),
  };
}

interface PageDeps extends PageOptions {
  pictures: Pick<PictureService, "drawPreview" | "getPreviewVersion">;
}

/** The public pages with what they show: the CV, texts of the owner, and what machines read of all of them. */
export async function openPages(
  app: App,
  floor: Floor,
  { openAssets, pictures }: PageDeps,
): Promise<{ site: SiteService; answerOnce: AnswerOnce }> {
  const { pool, registry } = floor;
  const { publicUrl } = floor.config;
  const cv = createCvService({ pool, registry, publicUrl });
  registerCvRoutes(app, cv);
  openImports(app, floor, { backUp: () => backUpBeforeImport(floor.exportPool, toBackupOptions(floor)) });
  const site = createSiteService({
    pool,
    pictures,
    publicUrl,
    openFeatures: OPEN_FEATURES,
    facts: createPageFacts(floor.config),
  });
  registerSiteRoutes(app, site);

  const siteSource = { models: SITE_MODELS, load: site.getSite, none: NO_SITE };
  const definitions = toPageDefinitions({
    cv: { models: cv.models, load: async (lang) => ({ screen: "cv", cv: await cv.getCv(lang) }) },
    contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
    register: {
      models: [],
      async load(lang) {
        const { registration } = await site.getSite(lang);
        return { screen: registration === "open" ? "register" : "admission" };
      },
    },
    text: {
      models: [PAGE_MODEL],
      async load(lang, path) {
        const page = await site.getPage(path.slice(1), lang);
        return page ? { screen: "text", page } : null;
      },
    },
  });
  const discovery = createDiscoveryService({ ...floor, site: siteSource, definitions });
  registerDiscoveryRoutes(app, { ...floor, discovery, publicUrl });
  const assets = await openAssets(app);
  const answerOnce = registerPages(app, { ...floor, site: siteSource, assets, publicUrl, definitions });
  for (const prefix of PREFIXES) {
    app.get(prefix || "/", { schema: { hide: true } }, (_request, reply) => reply.redirect(`${prefix}/dev`));
  }
  return { site, answerOnce };
}
