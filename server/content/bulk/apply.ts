import type pg from "pg";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { createParameters } from "../records/record-sql.ts";
import { toWriteError } from "../write/database-faults.ts";
import { deleteBySteps, type StepsOutcome, toNamed, updateBySteps } from "../write/row-steps.ts";
import type { StepsWrite } from "../write/row-store.ts";
import { deleteSql, type RowsWrite, toVerdict, updateSql, type WrittenSummary } from "../write/write-sql.ts";
import { recordsSql, type SnapshotRefusal, snapshotReasons, targetIdsSql, targetSql } from "./rows-sql.ts";
import type { BulkTask } from "./task.ts";

export type Writers = ReadonlyMap<string, RecordWriter>;

/** What became of a row. */
export interface RowOutcome {
  id: number;
  repr: string;
  /** `written`, `unchanged`, `forbidden`, `changed_since`, `new_since`, or the code of a rule that refused. */
  state: string;
  /** A constraint of the database refused it, not a rule. */
  isFault?: boolean;
  /** To be called once, after commit. */
  afterCommit?: (() => Promise<void>) | undefined;
}

/** Which of the task's rows: some of them by id, or the first `limit`. */
export interface RowsPart {
  within?: readonly number[];
  limit?: number;
}

/** Writes rows of a task inside the caller's transaction. A rule refuses its row alone; a fault of the database is thrown. */
export type ApplyRows = (db: Queryable, task: BulkTask, part: RowsPart) => Promise<RowOutcome[]>;

/** Rows of one transaction, where each takes statements of its own. */
export const STEP_ROWS_BY_ROW = 200;
/** A subject's rows are locked as long as all of them take: of many, a job has fewer at a time. */
const WRITER_ROWS_AT_ONCE = 500;

/** Rows that are written in one transaction; more of them, chosen by a query, are a job's. */
export function countAtOnce({ model, rows }: BulkTask, writers: Writers): number {
  return writers.has(model.key) && !("ids" in rows) ? WRITER_ROWS_AT_ONCE : ADMIN_LIMITS.bulkRowsMax;
}

/** Whether each row takes statements of its own: a subject writes it, or what stands beside it is written. */
export function isByRow({ model, operation, values }: BulkTask, writers: Writers): boolean {
  if (writers.has(model.key)) return true;
  const fields = operation === "delete" ? model.fields : [...values.keys()];
  return fields.some((field) => field.through !== null);
}

const applyByStatement: ApplyRows = async (db, task, part) => {
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
    detail: "bulk",
    returning: "summary",
  };
  const sql = task.operation === "delete" ? deleteSql(write) : updateSql(write, task.values);
  const { rows } = await db.query<WrittenSummary>(sql, values);
  return rows.map((row) => ({ id: row.id, repr: row.repr, state: toVerdict(row["@state"], reasons).type }));
};

/** A rule that refuses leaves no trace of its row; the others go on. */
async function tryRow(
  db: Queryable,
  write: () => Promise<StepsOutcome<SnapshotRefusal> | undefined>,
): Promise<StepsOutcome<SnapshotRefusal> | string | undefined> {
  await db.query("SAVEPOINT bulk_row");
  try {
    const outcome = await write();
    await db.query("RELEASE SAVEPOINT bulk_row");
    return outcome;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await db.query("ROLLBACK TO SAVEPOINT bulk_row; RELEASE SAVEPOINT bulk_row");
    return error.fields[0]?.code ?? error.code;
  }
}

export function createApplyRows(writers: Writers): ApplyRows {
  const applyByRow: ApplyRows = async (db, task, part) => {
    const { model, operation, values } = task;
    const { add, values: parameters } = createParameters();
    const found = await db.query<{ id: number; repr: string }>(targetIdsSql(task, part, add), parameters);
    const rows = found.rows;
    const writer = writers.get(model.key);
    const named = toNamed(values);
    const ids = rows.map((row) => row.id);
    await writer?.prepare(db, operation, ids, named);
    const write: StepsWrite<SnapshotRefusal> = {
      view: task.view,
      reader: task.reader,
      actor: task.actor,
      writer,
      detail: "bulk",
      refuse: (alias, addTo) => snapshotReasons(task, alias, addTo),
    };
    const outcomes: RowOutcome[] = [];
    for (const { id, repr } of rows) {
      const outcome = await tryRow(db, () =>
        operation === "delete" ? deleteBySteps(db, write, id) : updateBySteps(db, write, id, values),
      );
      // A row that went meanwhile is none of the task's rows any more.
      if (typeof outcome === "string") outcomes.push({ id, repr, state: outcome });
      else if (outcome)
        outcomes.push({ id, repr, state: outcome.verdict.type, afterCommit: outcome.afterCommit });
    }
    return outcomes;
  };
  return (db, task, part) =>
    isByRow(task, writers) ? applyByRow(db, task, part) : applyByStatement(db, task, part);
}

async function toFaultOutcome(
  client: pg.PoolClient,
  task: BulkTask,
  id: number,
  fault: AppError,
): Promise<RowOutcome> {
  const { add, values } = createParameters();
  const { rows } = await client.query<{ repr: string }>(recordsSql(task, [id], add), values);
  return { id, repr: rows[0]?.repr ?? `#${id}`, state: fault.fields[0]?.code ?? fault.code, isFault: true };
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
