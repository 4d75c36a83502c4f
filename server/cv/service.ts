import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { Cv, Hub } from "#contract/site/cv.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { findHubModel, PROJECT_MODEL, toCv, toHubProject } from "./page/cv-page.ts";
import { ensureSections, selectSectionChoices } from "./page/sections.ts";
import { buildShownQuery, selectShown } from "./page/select-shown.ts";
import { findShownModels, listModelKeys } from "./page/shown-models.ts";
import { findExportedKeys, toResume } from "./resume/build-resume.ts";
import { pickVisible } from "./resume/item.ts";
import { findSections } from "./resume/sections.ts";
import { selectMediaTypes, selectState } from "./resume/store.ts";

const PATH = "/cv";

export interface CvService {
  /** Keys of the models that the page is made of: a change of one makes it stale. */
  models: readonly string[];
  /** Gives every section its row, for the owner to order: once, before the first page. */
  ensureSections(): Promise<void>;
  /** The CV as a page shows it; empty texts and lists when nothing is there yet. */
  getCv(lang: Language): Promise<Cv>;
  /** The same of the developer hub. */
  hubModels: readonly string[];
  /** Projects as the developer hub shows them, in the order by hand. */
  getHub(lang: Language): Promise<Hub>;
  /** The CV as a JSON Resume 1.x file, the same bytes for the same content. */
  getResume(lang: Language): Promise<string>;
}

/**
 * The page shows the models of `registry` that declare a place on it; JSON Resume files have those that declare their keys.
 * `publicUrl` makes addresses of files absolute in exports; without it they are relative (and certificates name theirs as `file`).
 */
export function createCvService(deps: {
  pool: pg.Pool;
  registry: Registry;
  publicUrl: string | undefined;
}): CvService {
  const { pool, registry, publicUrl } = deps;
  const shown = findShownModels(registry, PATH);
  const shownKeys = shown.map(({ model }) => model.key);
  const queries = { en: buildShownQuery(shown, "en"), tr: buildShownQuery(shown, "tr") };
  const sections = findSections(registry);
  const projects = findHubModel(registry);
  const hubModels = projects ? [projects] : [];
  const hubQueries = { en: buildShownQuery(hubModels, "en"), tr: buildShownQuery(hubModels, "tr") };
  return {
    models: listModelKeys(shown),
    hubModels: [PROJECT_MODEL],
    ensureSections: () => ensureSections(pool, shown),

    async getCv(lang) {
      const [rows, choices, hasSample] = await Promise.all([
        selectShown(pool, shown, queries[lang], lang),
        selectSectionChoices(pool),
        hasSampleRows(pool, shownKeys),
      ]);
      return { ...toCv(shown, rows, choices, lang), has_sample: hasSample };
    },

    async getHub(lang) {
      if (!projects) return { has_sample: false, projects: [] };
      const [rows, hasSample] = await Promise.all([
        selectShown(pool, hubModels, hubQueries[lang], lang),
        hasSampleRows(pool, [PROJECT_MODEL]),
      ]);
      const items = rows.get(PROJECT_MODEL) ?? [];
      return { has_sample: hasSample, projects: items.flatMap((item) => toHubProject(item, lang)) };
    },

    async getResume(lang) {
      const state = pickVisible(await selectState(pool, sections));
      const mediaTypes = await selectMediaTypes(pool, findExportedKeys(sections, state, lang));
      return toResume(sections, state, lang, { origin: publicUrl, mediaTypes });
    },
  };
}

/** Whether anybody's CV is here yet. */
export async function hasCvProfile(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM cv_profile LIMIT 1");
  return rowCount === 1;
}
