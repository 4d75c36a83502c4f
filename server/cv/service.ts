import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { Cv } from "#contract/site/cv.ts";
import type { Actor } from "#server/base/actor.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { toCv } from "./cv-page.ts";
import { findExportedKeys, toResume } from "./export-resume.ts";
import type { ImportReport } from "./import-report.ts";
import { importResume } from "./import-resume.ts";
import { pickVisible } from "./item.ts";
import { CV_MODELS } from "./sections.ts";
import { selectMediaTypes, selectState } from "./store.ts";

export interface CvService {
  /** The CV as a page shows it; empty texts and lists when nothing is there yet. */
  getCv(lang: Language): Promise<Cv>;
  /** The CV as a JSON Resume 1.x file, the same bytes for the same content. */
  getResume(lang: Language): Promise<string>;
  /** Makes a JSON Resume file one language of the CV. @throws ResumeError with every fault; nothing is written then. */
  importResume(text: string, lang: Language, actor: Actor): Promise<ImportReport>;
}

/** `publicUrl` makes addresses of files absolute in exports; without it they are relative (and certificates name theirs as `file`). */
export function createCvService(pool: pg.Pool, publicUrl: string | undefined): CvService {
  return {
    async getCv(lang) {
      const [state, hasSample] = await Promise.all([selectState(pool), hasSampleRows(pool, CV_MODELS)]);
      return { ...toCv(pickVisible(state), lang), has_sample: hasSample };
    },

    async getResume(lang) {
      const state = pickVisible(await selectState(pool));
      const mediaTypes = await selectMediaTypes(pool, findExportedKeys(state, lang));
      return toResume(state, lang, { origin: publicUrl, mediaTypes });
    },

    importResume: (text, lang, actor) => importResume(pool, { text, lang, actor, origin: publicUrl }),
  };
}
