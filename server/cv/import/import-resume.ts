import { randomUUID } from "node:crypto";
import resumeSchema from "@jsonresume/schema/schema.json" with { type: "json" };
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { ImportFormat, ImportPlan } from "#contract/site/cv-import.ts";
import { type AuditEntry, type Changes, recordAudit, toChanges } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { listSampleMarks, removeSampleRows, type SampleMark } from "#server/sample/service.ts";
import { findExportedKeys } from "../resume/build-resume.ts";
import { describeFault, type Fault, ResumeError } from "../resume/faults.ts";
import { type FileFacts, findFileKeys } from "../resume/file-address.ts";
import { type CvState, getRowTitle, listOf, type Resume, type Row, toColumns } from "../resume/item.ts";
import { isJsonObject, type JsonValue } from "../resume/json.ts";
import { DEFAULT_SCHEMA, readResume } from "../resume/read-resume.ts";
import { mapSections, type Section, type Sections } from "../resume/sections.ts";
import {
  deleteRow,
  insertRow,
  lockCv,
  selectContentTypeIds,
  selectHiddenModels,
  selectMediaTypes,
  selectState,
  updateRow,
} from "../resume/store.ts";
import { findSource } from "./linkedin.ts";
import type { RowChange, SectionMerge } from "./merge-section.ts";
import { type Choices, mergeResume, toFingerprint, toPlan } from "./plan.ts";
import {
  insertDraft,
  markApplied,
  pruneImports,
  type RowSnapshot,
  type Snapshot,
  selectStoredRows,
} from "./store.ts";

/** How the log calls an import: short enough to be read in a filter. */
export function createBatchId(): string {
  return randomUUID().replaceAll("-", "").slice(0, 12);
}

/** What is imported: a JSON Resume document, what its file was, as which language, with what was answered. */
export interface ImportRequest {
  document: JsonValue;
  format: ImportFormat;
  lang: Language;
  /** Of this site, for addresses of files. */
  origin: string | undefined;
  choices?: Choices;
}

/** More than this is nobody's CV, and finding the rows of so many takes minutes. */
const MAX_ITEMS = 1000;

/** @throws ResumeError with all of them, of LinkedIn's export by the file that the person has */
function requireFaultless(faults: readonly Fault[], format: ImportFormat): void {
  const toFile = ({ path: [list] }: Fault) => (format === "linkedin" ? findSource(String(list)) : undefined);
  if (faults.length > 0) throw new ResumeError(faults.map((fault) => describeFault(fault, toFile(fault))));
}

/** Keys of which a JSON Resume has at least one: `$schema` and `meta` stand in files of any kind. */
const KNOWN_KEYS = Object.keys(resumeSchema.properties).filter((key) => key !== "$schema" && key !== "meta");

/** Another program's JSON is valid by the schema, which allows any key: it would empty the CV. Our export of an empty CV may. */
function findStrangeness(document: JsonValue): Fault[] {
  const isResume =
    isJsonObject(document) &&
    (document.$schema === DEFAULT_SCHEMA || KNOWN_KEYS.some((key) => Object.hasOwn(document, key)));
  return isResume ? [] : [{ path: [], expected: { name: "resume" } }];
}

interface Prepared {
  merges: readonly SectionMerge[];
  /** The rows that count, without sample content that nobody edited. */
  state: CvState;
  resume: Resume;
  /** All rows of the sample content, edited or not. */
  sample: readonly SampleMark[];
  hidden: ReadonlySet<string>;
}

/** Reads the CV and decides what the file would make of it. @throws ResumeError with every fault of the file. */
async function prepare(db: Queryable, sections: Sections, request: ImportRequest): Promise<Prepared> {
  const { document, format, lang, origin, choices } = request;
  const all = await selectState(db, sections);
  const sample = await listSampleMarks(
    db,
    sections.map(({ model }) => model.key),
  );
  const going = new Set(
    sample.filter(({ is_untouched }) => is_untouched).map((mark) => `${mark.model} ${mark.object_id}`),
  );
  const state = mapSections(sections, (section) =>
    listOf(all, section).filter((row) => !going.has(`${section.model.key} ${row.id}`)),
  );
  const keys = [...findFileKeys(JSON.stringify(document)), ...findExportedKeys(sections, state, lang)];
  const files: FileFacts = { origin, mediaTypes: await selectMediaTypes(db, keys) };
  const { resume, faults } = readResume(sections, document, files);
  requireFaultless(faults, format);
  requireFaultless(findStrangeness(document), format);
  const crowded = [...resume].filter(([, { length }]) => length > MAX_ITEMS);
  requireFaultless(
    crowded.map(([{ listAt }, { length }]) => ({
      path: listAt ?? [],
      expected: { name: "entries", vars: { max: MAX_ITEMS, count: length } },
    })),
    format,
  );
  const merges = mergeResume(sections, state, resume, { lang, format, files, ...(choices && { choices }) });
  return { merges, state, resume, sample, hidden: await selectHiddenModels(db) };
}

function describePlan(
  { merges, state, resume, sample, hidden }: Prepared,
  request: ImportRequest,
  reader: Language,
): ImportPlan {
  return toPlan(merges, {
    resume,
    lang: request.lang,
    format: request.format,
    reader,
    sampleCount: sample.filter(({ is_untouched }) => is_untouched).length,
    fingerprint: toFingerprint(state),
    hidden,
    ...(request.choices && { choices: request.choices }),
  });
}

/** What an import would do, in the reader's language. Writes nothing. @throws ResumeError */
export async function planImport(
  db: Queryable,
  sections: Sections,
  request: ImportRequest,
  reader: Language,
): Promise<ImportPlan> {
  return describePlan(await prepare(db, sections, request), request, reader);
}

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

/** The audit entry of one written row, with everything that changed in it. */
export function toAuditEntry(
  section: Section,
  change: RowChange,
  about: Pick<AuditEntry, "detail" | "message"> & { contentTypeId: number | null },
): AuditEntry {
  const row = change.action === "delete" ? change.before : change.after;
  return {
    ...about,
    action: ACTIONS[change.action],
    objectId: row.id,
    objectRepr: getRowTitle(section, row),
    changes: toEntryChanges(section, change),
  };
}

const MESSAGES: Record<ImportFormat, string> = {
  json_resume: "Imported from a JSON Resume file",
  linkedin: "Imported from a LinkedIn data export",
};

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

const toId = (change: RowChange) => (change.action === "create" ? change.after.id : change.before.id);

/** Writes what becomes of a section. @returns its rows before and after */
async function writeMerge(
  db: Queryable,
  actor: Actor,
  { section, changes }: SectionMerge,
  about: { message: string; contentTypeId: number | null },
): Promise<RowSnapshot[]> {
  if (changes.length === 0) return [];
  const { key, table } = section.model;
  const before = await selectStoredRows(db, table, changes.map(toId));
  const written: RowChange[] = [];
  for (const change of changes) written.push(await writeChange(db, section, change));
  const entries = written.map((change) => toAuditEntry(section, change, { detail: "import", ...about }));
  await recordAudit(db, actor, ...entries);
  await notifyChange(db, key);
  const ids = written.map(toId);
  const after = await selectStoredRows(db, table, ids);
  return ids.map((id) => ({ model: key, before: before.get(id) ?? null, after: after.get(id) ?? null }));
}

/** Takes sample content away that nobody edited. @returns its rows, for an undo */
async function removeSample(
  db: Queryable,
  sections: Sections,
  actor: Actor,
  marks: readonly SampleMark[],
): Promise<RowSnapshot[]> {
  const snapshots: RowSnapshot[] = [];
  for (const { model } of sections) {
    const ids = marks
      .filter((mark) => mark.model === model.key && mark.is_untouched)
      .map((mark) => mark.object_id);
    const rows = await selectStoredRows(db, model.table, ids);
    snapshots.push(...[...rows.values()].map((before) => ({ model: model.key, before, after: null })));
  }
  await removeSampleRows(
    db,
    sections.map(({ model }) => model.key),
    actor,
  );
  return snapshots;
}

/**
 * Imports a file as one language of the CV, in one transaction: rows, audit entries of one batch, notices and what an undo needs, or
 * nothing. Sample content that nobody edited goes first, with both its languages. What changes nothing leaves no trace.
 * @param about.draftId the draft that this applies; without it one is made.
 * @param about.fingerprint the CV that the person saw a plan of.
 * @returns the plan as it was done, and the import's number, undefined where nothing changed.
 * @throws ResumeError with every fault of the file. @throws AppError import_stale: the CV is another one by now; import_over: the draft
 * was applied or is gone
 */
export async function applyImport(
  pool: pg.Pool,
  sections: Sections,
  request: ImportRequest & {
    actor: Actor;
    reader: Language;
    fileName: string;
    draftId?: number;
    fingerprint?: string;
  },
): Promise<{ plan: ImportPlan; id: number | undefined }> {
  const { lang, document, format, fileName, draftId, fingerprint } = request;
  const batchId = createBatchId();
  const actor = { ...request.actor, batchId };
  return withTransaction(pool, async (client) => {
    await lockCv(client, sections);
    const prepared = await prepare(client, sections, request);
    const plan = describePlan(prepared, request, request.reader);
    if (fingerprint !== undefined && fingerprint !== plan.fingerprint) throw new AppError("import_stale");
    if (plan.is_unchanged && draftId === undefined) return { plan, id: undefined };
    const rows = await removeSample(client, sections, actor, prepared.sample);
    const contentTypeIds = await selectContentTypeIds(client);
    for (const merge of prepared.merges) {
      const contentTypeId = contentTypeIds.get(merge.section.model.key) ?? null;
      rows.push(...(await writeMerge(client, actor, merge, { message: MESSAGES[format], contentTypeId })));
    }
    const { userId } = actor;
    const id = draftId ?? (await insertDraft(client, { fileName, lang, format, document, userId }));
    const snapshot: Snapshot = { rows, sample: [...prepared.sample] };
    const isApplied = await markApplied(client, id, { counts: plan.counts, snapshot, batchId, userId });
    if (!isApplied) throw new AppError("import_over");
    await pruneImports(client);
    return { plan, id };
  });
}
