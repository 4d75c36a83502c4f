import type { Queryable } from "#server/db/pool.ts";
import { createParameters } from "../records/record-sql.ts";
import { NAMED_IDS_MAX, type Tally, withMissing } from "./refusals.ts";
import { countSql, idsOfStateSql, targetIdsSql } from "./rows-sql.ts";
import type { BulkTask } from "./task.ts";

/** As long as a request may wait for a number. */
const COUNT_TIMEOUT_MS = 15_000;

async function selectIds(
  db: Queryable,
  task: BulkTask,
  state: string,
  limit: number,
): Promise<readonly number[]> {
  const { add, values } = createParameters();
  const { rows } = await db.query<{ id: number }>(idsOfStateSql(task, state, limit, add), values);
  return rows.map((row) => row.id);
}

/** The first rows that would be written. */
export function selectWritable(db: Queryable, task: BulkTask, limit: number): Promise<readonly number[]> {
  return selectIds(db, task, "written", limit);
}

async function addMissing(db: Queryable, task: BulkTask, states: Tally): Promise<Tally> {
  if (!("ids" in task.rows)) return states;
  const { add, values } = createParameters();
  const { rows } = await db.query<{ id: number }>(targetIdsSql(task, {}, add), values);
  return withMissing(states, task.rows.ids, new Set(rows.map((row) => row.id)));
}

/**
 * What would become of a task's rows, counted exactly without writing. Call it in a transaction: the time limit is its own.
 * @throws the database's 57014, which is told as `request_timeout`.
 */
export async function judgeRows(db: Queryable, task: BulkTask): Promise<Tally> {
  await db.query(`SET LOCAL statement_timeout = ${COUNT_TIMEOUT_MS}`);
  const { add, values } = createParameters();
  const { rows } = await db.query<{ state: string; count: number }>(countSql(task, add), values);
  const states = new Map<string, { count: number; ids: readonly number[] }>();
  for (const { state, count } of rows) {
    const ids = state === "written" ? [] : await selectIds(db, task, state, NAMED_IDS_MAX);
    states.set(state, { count, ids });
  }
  return addMissing(db, task, states);
}
