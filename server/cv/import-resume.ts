import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { removeSampleRows } from "#server/sample/service.ts";
import { notifyChange } from "../db/change-notices.ts";
import { toAuditEntry } from "./audit-changes.ts";
import { findExportedKeys, toExportedResume } from "./export-resume.ts";
import { formatFault, ResumeError } from "./faults.ts";
import { type FileFacts, findFileKeys } from "./file-address.ts";
import { buildReport, type ImportReport } from "./import-report.ts";
import { type CvState, pickVisible, type Resume } from "./item.ts";
import { mergeSection, type RowChange, type SectionMerge } from "./merge-section.ts";
import { readResume } from "./read-resume.ts";
import { parseResume } from "./resume-file.ts";
import { CV_MODELS, SECTIONS, type Section } from "./sections.ts";
import {
  deleteRow,
  insertRow,
  lockCv,
  selectContentTypeIds,
  selectMediaTypes,
  selectState,
  updateRow,
} from "./store.ts";

function mergeAll(state: CvState, resume: Resume, lang: Language, files: FileFacts): SectionMerge[] {
  const visible = pickVisible(state);
  const shown = toExportedResume(visible, lang, files);
  return SECTIONS.map((section) => {
    const rows = visible[section.name];
    const items = shown[section.name];
    const placed = state[section.name].map((row) => ({
      row,
      shown: items.length === rows.length ? items[rows.indexOf(row)] : undefined,
    }));
    return mergeSection(section, resume[section.name], placed, lang);
  });
}

/** Writes one change. @returns it with the id that a created row got */
async function writeChange(db: Queryable, section: Section, change: RowChange): Promise<RowChange> {
  switch (change.action) {
    case "create":
      return { ...change, after: { ...change.after, id: await insertRow(db, section, change.after) } };
    case "update":
      await updateRow(db, section, change.after);
      return change;
    case "delete":
      await deleteRow(db, section.model, change.before.id);
      return change;
  }
}

async function writeMerge(db: Queryable, actor: Actor, merge: SectionMerge, contentTypeId: number | null) {
  const { section, changes } = merge;
  const entries = [];
  for (const change of changes)
    entries.push(toAuditEntry(section, await writeChange(db, section, change), contentTypeId));
  await recordAudit(db, actor, ...entries);
  if (changes.length > 0) await notifyChange(db, section.model.key);
}

/**
 * Imports a JSON Resume file as one language of the CV, in one transaction: rows, audit entries and notices, or nothing.
 * Sample content that nobody edited goes first, with both its languages. The file is all of that language: what it doesn't name loses this side, and a row without any side goes.
 * @throws ResumeError with every fault of the file.
 */
export async function importResume(
  pool: pg.Pool,
  request: { text: string; lang: Language; actor: Actor; origin: string | undefined },
): Promise<ImportReport> {
  const { text, lang, actor, origin } = request;
  const document = parseResume(text);
  return withTransaction(pool, async (client) => {
    await lockCv(client);
    const sample = await removeSampleRows(client, CV_MODELS, actor);
    const state = await selectState(client);
    const keys = [...findFileKeys(JSON.stringify(document)), ...findExportedKeys(state, lang)];
    const files: FileFacts = { origin, mediaTypes: await selectMediaTypes(client, keys) };
    const { resume, faults } = readResume(document, files);
    if (faults.length > 0) throw new ResumeError(faults.map(formatFault));
    const merges = mergeAll(state, resume, lang, files);
    const contentTypeIds = await selectContentTypeIds(client);
    for (const merge of merges) {
      await writeMerge(client, actor, merge, contentTypeIds.get(merge.section.model.key) ?? null);
    }
    const sampleRemoved = sample.reduce((sum, { removed }) => sum + removed.length, 0);
    return { ...buildReport(resume, merges, lang), sampleRemoved };
  });
}
