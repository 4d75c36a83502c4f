import { readFile } from "node:fs/promises";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { ImportChoices, ImportPlan } from "#contract/site/cv-import.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { asLogOwner } from "#test/database.ts";
import { createImportService, type ImportService } from "./import/service.ts";
import { parseResume } from "./resume/resume-file.ts";
import { findSections } from "./resume/sections.ts";
import { type CvService, createCvService } from "./service.ts";

export const REGISTRY = buildRegistry(DECLARED, new Map());
export const SECTIONS = findSections(REGISTRY);

/** Keys of the models that a file is made of. */
export const RESUME_MODELS = SECTIONS.map(({ model }) => model.key);

/** The CV of the product's models. */
export function openCv(pool: pg.Pool, publicUrl?: string): CvService {
  return createCvService({ pool, registry: REGISTRY, publicUrl });
}

export function openImports(pool: pg.Pool, publicUrl?: string): ImportService {
  return createImportService({ pool, registry: REGISTRY, publicUrl });
}

const TABLES = [...SECTIONS.map(({ model }) => model.table), "stored_file", "audit_entry", "cv_import"];

/** Empties everything that an import writes. DELETE: with so few rows TRUNCATE takes many times as long. */
export async function emptyCv(pool: pg.Pool): Promise<void> {
  await asLogOwner(pool, TABLES.map((table) => `DELETE FROM ${table};`).join("\n"));
}

/** Imports a document or a text, as the command does with --yes. @returns what was done */
export async function importInto(
  pool: pg.Pool,
  given: unknown,
  lang: Language = "en",
  answers: ImportChoices = { gone: {}, matches: {} },
): Promise<ImportPlan> {
  const document = parseResume(typeof given === "string" ? given : JSON.stringify(given));
  const about = {
    document,
    format: "json_resume" as const,
    lang,
    answers,
    fileName: "resume.json",
    actor: SYSTEM_ACTOR,
    reader: "en" as const,
  };
  return (await openImports(pool).apply(about)).plan;
}

/** What an import would do. */
export function planInto(
  pool: pg.Pool,
  given: object,
  lang: Language = "en",
  answers: ImportChoices = { gone: {}, matches: {} },
): Promise<ImportPlan> {
  const document = parseResume(JSON.stringify(given));
  return openImports(pool).plan({ document, format: "json_resume", lang, answers, reader: "en" });
}

export function readSample(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** Rows of a table in the order of the page. */
export async function readRows(pool: pg.Pool, table: string): Promise<Record<string, unknown>[]> {
  const order = table === "cv_profile" ? "id" : "position, id";
  const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY ${order}`);
  return rows;
}
