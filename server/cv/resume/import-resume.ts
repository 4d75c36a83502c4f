import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import { type AuditEntry, type Changes, recordAudit, toChanges } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { removeSampleRows } from "#server/sample/service.ts";
import { findExportedKeys, toExportedResume } from "./build-resume.ts";
import { formatFault, ResumeError } from "./faults.ts";
import { type FileFacts, findFileKeys } from "./file-address.ts";
import { buildReport, type ImportReport } from "./import-report.ts";
import { type CvState, getRowTitle, listOf, pickVisible, type Resume, type Row, toColumns } from "./item.ts";
import { mergeSection, type RowChange, type SectionMerge } from "./merge-section.ts";
import { readResume } from "./read-resume.ts";
import { parseResume } from "./resume-file.ts";
import type { Section, Sections } from "./sections.ts";
import {
  deleteRow,
  insertRow,
  lockCv,
  selectContentTypeIds,
  selectMediaTypes,
  selectState,
  updateRow,
} from "./store.ts";

/** A row's values as they travel: a file as its address. */
function toWire(section: Section, row: Row): Record<string, unknown> {
  const wire = toColumns(section, row);
  for (const { column, field } of section.fields) {
    const key = wire[column];
    if (field.kind.holdsFile && typeof key === "string") wire[column] = `${FILE_PREFIX}${key}`;
  }
  return wire;
}

function toEntryChanges(section: Section, change: RowChange): Changes {
  const before = change.action === "create" ? {} : toWire(section, change.before);
  const after = change.action === "delete" ? {} : toWire(section, change.after);
  return toChanges(before, after);
}

const ACTIONS = { create: "CREATE", update: "UPDATE", delete: "DELETE" } as const;

/** The audit entry of one imported row, with everything that changed in it. */
function toAuditEntry(section: Section, change: RowChange, contentTypeId: number | null): AuditEntry {
  const row = change.action === "delete" ? change.before : change.after;
  return {
    action: ACTIONS[change.action],
    detail: "import",
    contentTypeId,
    objectId: row.id,
    objectRepr: getRowTitle(section, row),
    message: "Imported from a JSON Resume file",
    changes: toEntryChanges(section, change),
  };
}

function mergeAll(
  sections: Sections,
  state: CvState,
  resume: Resume,
  lang: Language,
  files: FileFacts,
): SectionMerge[] {
  const visible = pickVisible(state);
  const shown = toExportedResume(sections, visible, lang, files);
  return sections.map((section) => {
    const rows = listOf(visible, section);
    const items = listOf(shown, section);
    const placed = listOf(state, section).map((row) => ({
      row,
      shown: items.length === rows.length ? items[rows.indexOf(row)] : undefined,
    }));
    return mergeSection(section, listOf(resume, section), placed, lang);
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
  sections: Sections,
  request: { text: string; lang: Language; actor: Actor; origin: string | undefined },
): Promise<ImportReport> {
  const { text, lang, actor, origin } = request;
  const document = parseResume(text);
  return withTransaction(pool, async (client) => {
    await lockCv(client, sections);
    const models = sections.map(({ model }) => model.key);
    const sample = await removeSampleRows(client, models, actor);
    const state = await selectState(client, sections);
    const keys = [...findFileKeys(JSON.stringify(document)), ...findExportedKeys(sections, state, lang)];
    const files: FileFacts = { origin, mediaTypes: await selectMediaTypes(client, keys) };
    const { resume, faults } = readResume(sections, document, files);
    if (faults.length > 0) throw new ResumeError(faults.map(formatFault));
    const merges = mergeAll(sections, state, resume, lang, files);
    const contentTypeIds = await selectContentTypeIds(client);
    for (const merge of merges) {
      await writeMerge(client, actor, merge, contentTypeIds.get(merge.section.model.key) ?? null);
    }
    const sampleRemoved = sample.reduce((sum, { removed }) => sum + removed.length, 0);
    return { ...buildReport(resume, merges, lang), sampleRemoved };
  });
}
