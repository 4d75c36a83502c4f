import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import { getTitle, recordRows } from "./record-rows.ts";
import { CV_MODELS, FILE_MODEL, findModels, requireModel } from "./sample-models.ts";
import {
  deleteUntouched,
  deleteUnusedFiles,
  forgetRows,
  lockModels,
  selectHasSample,
  selectStoredKeys,
} from "./store.ts";

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
