import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { ImportChoices, ImportFormat, ImportPlan } from "#contract/site/cv-import.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { JsonValue } from "../resume/json.ts";
import { findSections } from "../resume/sections.ts";
import { applyImport, planImport } from "./import-resume.ts";
import { toChoices } from "./plan.ts";
import { type UndoReport, undoImport } from "./undo-import.ts";

/** A document, the language that it becomes, and what was answered about it. `reader` is the language of names in the plan. */
export interface ImportedFile {
  document: JsonValue;
  format: ImportFormat;
  lang: Language;
  answers?: ImportChoices;
  reader: Language;
}

export interface ImportService {
  /** What a JSON Resume document would change as one language of the CV. @throws ResumeError with every fault */
  plan(file: ImportedFile): Promise<ImportPlan>;
  /** Makes it that language, in one transaction. See `applyImport`. */
  apply(
    file: ImportedFile & { actor: Actor; fileName: string; draftId?: number; fingerprint?: string },
  ): Promise<{ plan: ImportPlan; id: number | undefined }>;
  /** Takes the newest import back. See `undoImport`. */
  undo(about: { id?: number; actor: Actor; isPartial: boolean; lang: Language }): Promise<UndoReport>;
}

/** Imports into the models of `registry` that declare keys of JSON Resume. `publicUrl` tells the site's own files by their addresses. */
export function createImportService(deps: {
  pool: pg.Pool;
  registry: Pick<Registry, "models">;
  publicUrl: string | undefined;
}): ImportService {
  const { pool, registry, publicUrl } = deps;
  const sections = findSections(registry);
  const toRequest = ({ document, format, lang, answers }: ImportedFile) => ({
    document,
    format,
    lang,
    origin: publicUrl,
    ...(answers && { choices: toChoices(answers) }),
  });
  return {
    plan: (file) => planImport(pool, sections, toRequest(file), file.reader),
    apply: (file) => applyImport(pool, sections, { ...file, ...toRequest(file) }),
    undo: (about) => undoImport(pool, sections, about),
  };
}
