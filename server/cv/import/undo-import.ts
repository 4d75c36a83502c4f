import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { UndoConflict } from "#contract/site/cv-import.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { restoreSampleMarks } from "#server/sample/service.ts";
import { parseRow } from "../resume/item.ts";
import type { Section, Sections } from "../resume/sections.ts";
import { deleteRow, lockCv, selectContentTypeIds, selectMediaTypes } from "../resume/store.ts";
import { createBatchId, toAuditEntry } from "./import-resume.ts";
import type { RowChange } from "./merge-section.ts";
import { nameRow } from "./plan.ts";
import {
  markUndone,
  type RowSnapshot,
  reinsertRow,
  restoreRow,
  type StoredRow,
  selectHasRows,
  selectImport,
  selectIsUntouched,
  selectStoredRows,
  selectUndoable,
} from "./store.ts";

type Reason = UndoConflict["reason"];

/** Why a row can't be put back; undefined: it can, or is as it was already. */
async function findConflict(
  db: Queryable,
  section: Section,
  snapshot: RowSnapshot,
): Promise<Reason | undefined> {
  const { table } = section.model;
  const { before, after } = snapshot;
  if (after) {
    const isUntouched = await selectIsUntouched(db, table, after);
    if (isUntouched === undefined) return before ? "deleted" : undefined;
    return isUntouched ? undefined : "changed";
  }
  if (!before) return undefined;
  const isTaken =
    (section.model.isSingleton && (await selectHasRows(db, table))) ||
    (await selectStoredRows(db, table, [Number(before.id)])).size > 0;
  return isTaken ? "exists" : undefined;
}

/** A row without the files that were deleted since. */
async function withoutLostFiles(db: Queryable, section: Section, row: StoredRow): Promise<StoredRow> {
  const columns = section.fields.filter(({ field }) => field.kind.holdsFile).map(({ column }) => column);
  const keys = columns.flatMap((column) => (typeof row[column] === "string" ? [row[column]] : []));
  const known = await selectMediaTypes(db, keys);
  const lost = columns.filter((column) => typeof row[column] === "string" && !known.has(row[column]));
  return { ...row, ...Object.fromEntries(lost.map((column) => [column, null])) };
}

/** Puts one row back. @returns what that did; undefined: somebody had done it already */
async function putBack(
  db: Queryable,
  section: Section,
  snapshot: RowSnapshot,
): Promise<RowChange | undefined> {
  const { table } = section.model;
  const { before, after } = snapshot;
  if (after && !before) {
    if ((await selectIsUntouched(db, table, after)) === undefined) return undefined;
    await deleteRow(db, section.model, Number(after.id));
    return { action: "delete", before: parseRow(section, after) };
  }
  if (!before) return undefined;
  const row = await withoutLostFiles(db, section, before);
  if (after) {
    await restoreRow(db, table, row);
    return { action: "update", before: parseRow(section, after), after: parseRow(section, row) };
  }
  await reinsertRow(db, table, row);
  return { action: "create", after: parseRow(section, row) };
}

/** What was made goes before what was there comes back: a CV has one profile. */
function toTurn({ before, after }: RowSnapshot): number {
  if (!before) return 0;
  return after ? 1 : 2;
}

/** What an undo did: how many rows are as they were, and which were left because people changed them. */
export interface UndoReport {
  id: number;
  fileName: string;
  lang: Language;
  restoredCount: number;
  left: readonly UndoConflict[];
}

interface Placed {
  section: Section;
  snapshot: RowSnapshot;
}

function placeRows(sections: Sections, snapshots: readonly RowSnapshot[]): Placed[] {
  const byKey = new Map(sections.map((section) => [section.model.key, section]));
  return snapshots
    .flatMap((snapshot) => {
      const section = byKey.get(snapshot.model);
      return section ? [{ section, snapshot }] : [];
    })
    .sort((one, two) => toTurn(one.snapshot) - toTurn(two.snapshot));
}

/** Puts back what people haven't changed since, with an entry each. @returns what stays as it is, and the models that were written */
async function putAllBack(db: Queryable, actor: Actor, rows: readonly Placed[], lang: Language) {
  const left: UndoConflict[] = [];
  const touched = new Set<string>();
  const contentTypeIds = await selectContentTypeIds(db);
  for (const { section, snapshot } of rows) {
    const { key, pluralLabels } = section.model;
    const reason = await findConflict(db, section, snapshot);
    if (reason) {
      const row = parseRow(section, snapshot.after ?? snapshot.before ?? {});
      left.push({ section: pluralLabels[lang], title: nameRow(section, row, lang), reason });
      continue;
    }
    const change = await putBack(db, section, snapshot);
    if (!change) continue;
    touched.add(key);
    const entry = {
      detail: "import_undo",
      message: "An import was undone",
      contentTypeId: contentTypeIds.get(key) ?? null,
    };
    await recordAudit(db, actor, toAuditEntry(section, change, entry));
  }
  return { left, touched };
}

/**
 * Takes the newest import back: every row that it wrote is as it was before, times and sample marks included, in one transaction with
 * audit entries of one batch. Rows that people changed since stay as they are.
 * @param about.id the import that the person means; without it the newest one.
 * @param about.isPartial whether the rest may be put back where some rows changed since.
 * @param about.lang of the names in conflicts.
 * @throws AppError nothing_to_undo; undo_conflicts with `conflicts` in its envelope
 */
export async function undoImport(
  pool: pg.Pool,
  sections: Sections,
  about: { id?: number; actor: Actor; isPartial: boolean; lang: Language },
): Promise<UndoReport> {
  const actor = { ...about.actor, batchId: createBatchId() };
  return withTransaction(pool, async (client) => {
    await lockCv(client, sections);
    const id = await selectUndoable(client);
    const found = id === undefined || (about.id ?? id) !== id ? undefined : await selectImport(client, id);
    if (!found?.snapshot) throw new AppError("nothing_to_undo");
    const rows = placeRows(sections, found.snapshot.rows);
    const { left, touched } = await putAllBack(client, actor, rows, about.lang);
    if (left.length > 0 && !about.isPartial)
      throw new AppError("undo_conflicts", {
        fields: left.map(({ section, title, reason }) => ({
          field: `${section}: ${title}`,
          code: `undo_${reason}`,
        })),
        extra: { conflicts: left },
      });
    await restoreSampleMarks(client, found.snapshot.sample);
    for (const key of touched) await notifyChange(client, key);
    await markUndone(client, found.id);
    const { file_name: fileName, lang } = found;
    return { id: found.id, fileName, lang, restoredCount: rows.length - left.length, left };
  });
}
