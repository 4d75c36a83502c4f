import { recordAudit, toChanges } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { WriteNote } from "#server/models/record-writer.ts";
import { isCreated, isNamed, isStored, SECRET } from "./changes-sql.ts";
import {
  changeRow,
  insertRow,
  lockRow,
  type RowState,
  readRow,
  removeRow,
  requireRow,
  type StepsWrite,
} from "./row-store.ts";
import type { WriteOutcome } from "./write-one.ts";
import type { Refusal, Values } from "./write-sql.ts";

export interface StepsOutcome<Own extends Refusal> extends WriteOutcome<Own> {
  /** What the writer wants done after commit. */
  afterCommit?: (() => Promise<void>) | undefined;
}

/** Checked values by the names of their fields, as a `RecordWriter` takes them. */
export function toNamed(values: Values): Map<string, unknown> {
  return new Map([...values].map(([field, value]) => [field.name, value]));
}

function toDifferences(before: RowState<Refusal>, after: RowState<Refusal>, model: Model) {
  const changes = toChanges(before.values, after.values);
  for (const name of Object.keys(toChanges(before.digests, after.digests)))
    changes[name] = { before: SECRET, after: SECRET };
  if (model.hasTimestamps) delete changes.updated_at;
  return changes;
}

/** One side of a creation or deletion. */
function toOneSided(
  model: Model,
  row: RowState<Refusal>,
  side: "before" | "after",
  isKept: (field: Field) => boolean,
) {
  const names = model.fields.filter(isKept).map((field) => field.name);
  return Object.fromEntries(names.map((name) => [name, { [side]: row.values[name] }]));
}

async function record(
  db: Queryable,
  { view, actor, detail }: StepsWrite<Refusal>,
  row: RowState<Refusal>,
  entry: { action: "CREATE" | "UPDATE" | "DELETE"; message: string; changes: Record<string, object> },
  note: WriteNote | undefined,
): Promise<void> {
  const { changes, ...rest } = entry;
  const entryDetail = note?.detail ?? detail;
  await recordAudit(db, actor, {
    ...rest,
    ...(entryDetail && { detail: entryDetail }),
    ...(note?.pseudonym === undefined
      ? { changes, objectRepr: row.record.repr }
      : { objectRepr: note.pseudonym }),
    contentTypeId: view.model.contentTypeId,
    objectId: row.record.id,
  });
}

/** Creates a row. */
export async function createBySteps<Own extends Refusal>(
  db: Queryable,
  write: StepsWrite<Own>,
  values: Values,
): Promise<StepsOutcome<Own>> {
  const { view, actor, writer } = write;
  const made = await writer?.create(db, toNamed(values), actor);
  const id = made ? made.id : await insertRow(db, view.model, values);
  const row = await requireRow(db, write, id);
  const changes = toOneSided(view.model, row, "after", isCreated);
  await record(db, write, row, { action: "CREATE", message: "Created", changes }, made);
  return { verdict: { type: "written" }, record: row.record, etag: row.etag, afterCommit: made?.afterCommit };
}

/** Changes a row; undefined where there is none that the reader meets. */
export async function updateBySteps<Own extends Refusal>(
  db: Queryable,
  write: StepsWrite<Own>,
  id: number,
  values: Values,
): Promise<StepsOutcome<Own> | undefined> {
  const { view, actor, writer } = write;
  await lockRow(db, view.model, id);
  const before = await readRow(db, write, id, { operation: "update", values });
  if (before?.verdict.type !== "written") return before;
  const note = writer
    ? await writer.update(db, id, toNamed(values), actor)
    : await changeRow(db, view.model, id, values).then(() => undefined);
  const after = await requireRow(db, write, id);
  const changes = toDifferences(before, after, view.model);
  const { afterCommit } = note ?? {};
  const outcome = { record: after.record, etag: after.etag, afterCommit };
  if (Object.keys(changes).length === 0) return { ...outcome, verdict: { type: "unchanged" } };
  const names = Object.keys(changes).filter((name) => isNamed(view.model.fieldByName.get(name)));
  const message = names.length > 0 ? `Changed ${names.join(", ")}` : "Changed";
  await record(db, write, after, { action: "UPDATE", message, changes }, note);
  return { ...outcome, verdict: { type: "written" } };
}

/** Deletes a row; undefined where there is none that the reader meets. */
export async function deleteBySteps<Own extends Refusal>(
  db: Queryable,
  write: StepsWrite<Own>,
  id: number,
): Promise<StepsOutcome<Own> | undefined> {
  const { view, actor, writer } = write;
  await lockRow(db, view.model, id);
  const row = await readRow(db, write, id, { operation: "delete" });
  if (row?.verdict.type !== "written") return row;
  const note = writer
    ? await writer.delete(db, id, actor)
    : await removeRow(db, view.model, id).then(() => undefined);
  const changes = toOneSided(view.model, row, "before", isStored);
  await record(db, write, row, { action: "DELETE", message: "Deleted", changes }, note);
  return { verdict: { type: "written" }, record: row.record, etag: row.etag, afterCommit: note?.afterCommit };
}
