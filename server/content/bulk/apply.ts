import type pg from "pg";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { AddParameter } from "#server/models/model.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { createParameters } from "../records/record-sql.ts";
import { toNamed, writeByWriter } from "../write/by-writer.ts";
import { toWriteError } from "../write/database-faults.ts";
import { hasLinks, toVerdict } from "../write/judge-sql.ts";
import { deleteSql, type RowsWrite, updateSql, type WrittenSummary } from "../write/write-sql.ts";
import { type RowVerdict, toCode } from "./refusals.ts";
import { recordsSql, snapshotReasons, targetIdsSql, targetSql } from "./rows-sql.ts";
import type { BulkTask } from "./task.ts";

export type Writers = ReadonlyMap<string, RecordWriter>;

/** What became of a row. */
export interface RowOutcome {
  id: number;
  repr: string;
  verdict: RowVerdict;
  /** To be called once, after commit. */
  afterCommit?: (() => Promise<void>) | undefined;
}

/** Which of the task's rows: some of them by id, or the first `limit`. */
export interface RowsPart {
  within?: readonly number[];
  limit?: number;
}

/** Of the entries of all that is done to many rows. */
const DETAIL = "bulk";

/** Writes rows of a task inside the caller's transaction. A rule refuses its row alone; a fault of the database is thrown. */
export type ApplyRows = (db: Queryable, task: BulkTask, part: RowsPart) => Promise<RowOutcome[]>;

/** Rows of one transaction, where a subject writes each. */
export const WRITER_ROWS = 200;
/** A subject's rows are locked as long as all of them take: of many, a job has fewer at a time. */
const WRITER_ROWS_AT_ONCE = 500;

/** Rows that are written in one transaction; more of them, chosen by a query, are a job's. */
export function countAtOnce({ model, rows }: BulkTask, writers: Writers): number {
  return writers.has(model.key) && !("ids" in rows) ? WRITER_ROWS_AT_ONCE : ADMIN_LIMITS.bulkRowsMax;
}

/** Of rows with links, the ids of those that are now locked: see `hasLinks`. */
async function lockFirst(db: Queryable, task: BulkTask, part: RowsPart): Promise<RowsPart> {
  if (!hasLinks(task.model)) return part;
  const { add, values } = createParameters();
  const strength = task.operation === "delete" ? "FOR UPDATE" : "FOR NO KEY UPDATE";
  const { rows } = await db.query<{ id: number }>(`${targetIdsSql(task, part, add)} ${strength}`, values);
  return { within: rows.map(({ id }) => id) };
}

const applyByStatement: ApplyRows = async (db, task, asked) => {
  const part = await lockFirst(db, task, asked);
  const { add, values } = createParameters();
  const reasons = snapshotReasons(task, "b", add);
  const write: RowsWrite = {
    view: task.view,
    reader: task.reader,
    actor: task.actor,
    add,
    where: targetSql(task, add, part.within),
    ...(part.limit !== undefined && { limit: part.limit }),
    refusals: reasons,
    detail: DETAIL,
    returning: "summary",
  };
  const sql = task.operation === "delete" ? deleteSql(write) : updateSql(write, task.values);
  const { rows } = await db.query<WrittenSummary>(sql, values);
  return rows.map((row) => ({ id: row.id, repr: row.repr, verdict: toVerdict(row["@state"], reasons) }));
};

type Tried = Pick<RowOutcome, "verdict" | "afterCommit">;

/** A rule that refuses leaves no trace of its row; the others go on. */
async function tryRow(db: Queryable, write: () => Promise<Tried | undefined>): Promise<Tried | undefined> {
  await db.query("SAVEPOINT bulk_row");
  try {
    const outcome = await write();
    await db.query("RELEASE SAVEPOINT bulk_row");
    return outcome;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await db.query("ROLLBACK TO SAVEPOINT bulk_row; RELEASE SAVEPOINT bulk_row");
    return { verdict: { type: "refused", code: toCode(error) } };
  }
}

async function applyByWriter(
  writer: RecordWriter,
  db: Queryable,
  task: BulkTask,
  part: RowsPart,
): Promise<RowOutcome[]> {
  const { view, reader, actor, operation, values } = task;
  const { add, values: parameters } = createParameters();
  const { rows } = await db.query<{ id: number; repr: string }>(targetIdsSql(task, part, add), parameters);
  const ids = rows.map((row) => row.id);
  await writer.prepare(db, operation, ids, toNamed(values));
  const refuse = (alias: string, addTo: AddParameter) => snapshotReasons(task, alias, addTo);
  const write = { view, reader, actor, operation, values, writer, detail: DETAIL, refuse };
  const outcomes: RowOutcome[] = [];
  for (const { id, repr } of rows) {
    const outcome = await tryRow(db, () => writeByWriter(db, { ...write, id }));
    // A row that went meanwhile is none of the task's rows any more.
    if (outcome) outcomes.push({ id, repr, verdict: outcome.verdict, afterCommit: outcome.afterCommit });
  }
  return outcomes;
}

export function createApplyRows(writers: Writers): ApplyRows {
  return (db, task, part) => {
    const writer = writers.get(task.model.key);
    return writer ? applyByWriter(writer, db, task, part) : applyByStatement(db, task, part);
  };
}

async function toFaultOutcome(
  client: pg.PoolClient,
  task: BulkTask,
  id: number,
  fault: AppError,
): Promise<RowOutcome> {
  const { add, values } = createParameters();
  const { rows } = await client.query<{ repr: string }>(recordsSql(task, [id], add), values);
  return { id, repr: rows[0]?.repr ?? `#${id}`, verdict: { type: "fault", code: toCode(fault) } };
}

/** Writes rows; where a constraint refuses, halves of them, down to the rows at fault. */
export async function applyParts(
  client: pg.PoolClient,
  apply: ApplyRows,
  task: BulkTask,
  ids: readonly number[],
): Promise<RowOutcome[]> {
  await client.query("SAVEPOINT bulk_part");
  try {
    const outcomes = await apply(client, task, { within: ids });
    await client.query("RELEASE SAVEPOINT bulk_part");
    return outcomes;
  } catch (error) {
    const fault = toWriteError(error, task.model, task.operation === "delete" ? "delete" : "write");
    if (!(fault instanceof AppError) || fault.status >= 500 || ids.length === 0) throw error;
    await client.query("ROLLBACK TO SAVEPOINT bulk_part; RELEASE SAVEPOINT bulk_part");
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return [await toFaultOutcome(client, task, first, fault)];
    const middle = Math.ceil(ids.length / 2);
    const before = await applyParts(client, apply, task, ids.slice(0, middle));
    return [...before, ...(await applyParts(client, apply, task, ids.slice(middle)))];
  }
}
