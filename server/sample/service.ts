import type pg from "pg";
import { type Language, type LocalizedText, pickText } from "#contract/languages.ts";
import type { SampleAnswer, SampleRemoval } from "#contract/site/site.ts";
import { type AuditEntry, recordAudit, toChanges } from "#server/audit/service.ts";
import type { Actor, Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import { TIMESTAMP_FIELDS } from "#server/models/declare.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { KINDS } from "#server/models/kinds.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import {
  CV_MODELS,
  deleteUntouched,
  deleteUnusedFiles,
  FILE_MODEL,
  findModels,
  forgetRows,
  insertMarks,
  lockModels,
  type RowColumns,
  requireModel,
  type SampleMark,
  type SampleModel,
  selectContentTypeId,
  selectHasSample,
  selectMarks,
  selectSampleCounts,
  selectStoredKeys,
} from "./store.ts";

export type { SampleMark };

const REMOVED = { action: "DELETE", detail: "sample", message: "Removed with the sample content" } as const;

/** Whether one of these models still has a row as it came with the product. */
export function hasSampleRows(db: Queryable, models: readonly string[]): Promise<boolean> {
  return selectHasSample(db, models);
}

/** What became of the sample rows of one model, by their titles. */
export interface RemovedModel {
  key: string;
  /** Plural. */
  label: string;
  removed: readonly string[];
  /** Rows that were edited since they came: they are the owner's from now on. */
  kept: readonly { id: number; title: string }[];
}

/** Which rows of these models came with the product, edited or not. */
export async function listSampleMarks(db: Queryable, models: readonly string[]): Promise<SampleMark[]> {
  return selectMarks(db, models);
}

/** Makes rows sample content again that an undo brought back. */
export async function restoreSampleMarks(db: Queryable, marks: readonly SampleMark[]): Promise<void> {
  await insertMarks(db, marks);
}

/**
 * Deletes the sample rows of these models that nobody edited, with audit entries and notices. Their files stay. Call it in a
 * transaction in which nobody else writes these models.
 */
export async function removeSampleRows(
  db: Queryable,
  models: readonly string[],
  actor: Actor,
  lang: Language = "en",
): Promise<RemovedModel[]> {
  const outcomes: RemovedModel[] = [];
  for (const model of findModels(models)) {
    const rows = await deleteUntouched(db, model);
    const kept = await forgetRows(db, model);
    await recordRows(db, actor, model, REMOVED, rows);
    outcomes.push({
      key: model.key,
      label: model.declaration.pluralLabels[lang],
      removed: rows.map((row) => getTitle(model, row, lang)),
      kept: kept.map((row) => ({ id: row.id, title: getTitle(model, row, lang) })),
    });
  }
  return outcomes;
}

/** `foyer sample remove` and the console's button: the rows as above, and then the files that nothing names any more, with their bytes. */
export async function removeSample(
  pool: pg.Pool,
  storage: { delete(key: string): Promise<void> },
  actor: Actor,
  lang: Language = "en",
): Promise<RemovedModel[]> {
  const fileModel = requireModel(FILE_MODEL);
  const { outcomes, files } = await withRetriedTransaction(pool, async (client) => {
    await lockModels(client, CV_MODELS);
    const outcomes = await removeSampleRows(client, CV_MODELS, actor, lang);
    const files = await deleteUnusedFiles(client);
    await recordRows(client, actor, fileModel, REMOVED, files);
    return { outcomes, files };
  });
  // The bytes go after the commit: a crash before this leaves bytes without a row, never a row without bytes.
  const keys = files.map(({ key }) => String(key));
  const uploadedAgain = await selectStoredKeys(pool, keys);
  for (const key of keys) if (!uploadedAgain.includes(key)) await storage.delete(key);
  const removed = files.map((row) => getTitle(fileModel, row));
  return [
    ...outcomes,
    { key: FILE_MODEL, label: fileModel.declaration.pluralLabels[lang], removed, kept: [] },
  ];
}

interface SampleDeps {
  pool: pg.Pool;
  storage: { delete(key: string): Promise<void> };
  registry: Pick<Registry, "byKey">;
  feed: Pick<ChangeFeed, "announce">;
  log: { warn(details: object, message: string): void };
}

/** The sample content as the console shows and removes it. */
export interface SampleConsole {
  read(caller: Caller): Promise<SampleAnswer>;
  remove(caller: Caller): Promise<SampleRemoval>;
}

/** A removal is a deletion of rows of every model: who may not delete one of them may not begin. */
function requireMayRemove({ actor }: Caller): void {
  const isAllowed = findModels(CV_MODELS).every(
    ({ declaration: { access } }) => access.delete !== null && actor.level >= access.delete,
  );
  if (!isAllowed) throw new AppError("permission_denied");
}

export function createSampleConsole({ pool, storage, registry, feed, log }: SampleDeps): SampleConsole {
  const getContentTypeId = (key: string) => registry.byKey.get(key)?.contentTypeId ?? null;

  // The rows are gone by then: bytes that stay behind take room, and no page names them.
  const patientStorage = {
    delete: (key: string) =>
      storage
        .delete(key)
        .catch((error: unknown) =>
          log.warn({ err: error }, "a file of the sample content could not be deleted"),
        ),
  };

  return {
    async read(caller) {
      requireMayRemove(caller);
      const counts = await selectSampleCounts(pool, CV_MODELS);
      const models = findModels(CV_MODELS).map(({ key, declaration }) => ({
        content_type_id: getContentTypeId(key),
        verbose_name: declaration.pluralLabels[caller.lang],
        untouched_count: counts.get(key)?.untouched ?? 0,
        edited_count: counts.get(key)?.edited ?? 0,
      }));
      return { models: models.filter((model) => model.untouched_count + model.edited_count > 0) };
    },

    async remove(caller) {
      requireMayRemove(caller);
      const outcomes = await removeSample(pool, patientStorage, caller.actor, caller.lang);
      // Pages of this process are drawn anew from here on; other processes receive the notices.
      for (const { key, removed } of outcomes) if (removed.length > 0) feed.announce(key);
      const affected = outcomes.filter(({ removed, kept }) => removed.length + kept.length > 0);
      return {
        models: affected.map(({ key, label, removed, kept }) => ({
          content_type_id: getContentTypeId(key),
          verbose_name: label,
          removed_count: removed.length,
          kept: kept.map(({ id, title }) => ({ id, repr: title })),
        })),
      };
    },
  };
}

/** Declared values as they travel: a file as its address. */
function toWire({ declaration }: SampleModel, row: RowColumns): Record<string, unknown> {
  const fields = Object.entries(declaration.fields).filter(
    ([name]) => name in row && !(name in TIMESTAMP_FIELDS),
  );
  const toValue = (kind: string, value: unknown) =>
    KINDS[kind]?.holdsFile && typeof value === "string" ? `${FILE_PREFIX}${value}` : value;
  return Object.fromEntries(fields.map(([name, { kind }]) => [name, toValue(kind, row[name])]));
}

/** How people call a row: the text of its model's title field, in the language when it has it. */
function getTitle({ declaration }: SampleModel, row: RowColumns, lang: Language = "en"): string {
  const title = row[declaration.title];
  // A localized column holds both languages, any other title is text.
  const text =
    typeof title === "object" ? pickText(title as LocalizedText | null, lang) : String(title ?? "");
  return text || `#${row.id}`;
}

/** Writes the audit entries of rows that came or went, and notifies every process that their model changed. */
export async function recordRows(
  db: Queryable,
  actor: Actor,
  model: SampleModel,
  entry: Pick<AuditEntry, "detail" | "message"> & { action: "CREATE" | "DELETE" },
  rows: readonly RowColumns[],
): Promise<void> {
  if (rows.length === 0) return;
  const contentTypeId = await selectContentTypeId(db, model);
  const entries = rows.map((row) => {
    const wire = toWire(model, row);
    const changes = entry.action === "CREATE" ? toChanges({}, wire) : toChanges(wire, {});
    return { ...entry, contentTypeId, objectId: row.id, objectRepr: getTitle(model, row), changes };
  });
  await recordAudit(db, actor, ...entries);
  await notifyChange(db, model.key);
}
