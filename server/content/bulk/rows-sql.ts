import type { Queryable } from "#server/db/pool.ts";
import { MAX_INT4, quoteName } from "#server/db/sql.ts";
import type { AddParameter, Field } from "#server/models/model.ts";
import { rowRuleSql, titleSql } from "#server/models/row-sql.ts";
import { scopeTerms } from "../list/query.ts";
import { ALIAS, createParameters, fromSql, recordSql } from "../records/record-sql.ts";
import {
  forbiddenReasons,
  type Reason,
  stateSql,
  toTerms,
  toVerdict,
  unchangedReason,
  type Verdict,
} from "../write/judge-sql.ts";
import { NAMED_IDS_MAX, type SnapshotRefusal, type Tally, withMissing } from "./refusals.ts";
import type { BulkTask } from "./task.ts";

/** SQL of a list of ids; those that the column can't hold name no row. */
function idsSql(task: BulkTask, ids: readonly number[], add: AddParameter): string {
  const { idType } = task.model;
  const fitting = idType === "bigint" ? ids : ids.filter((id) => Math.abs(id) <= MAX_INT4);
  return `ANY(${add(fitting)}::${idType}[])`;
}

/** SQL over `t` of the rows that a task is about, as far as its person sees them; `within` narrows them to some ids. */
export function targetSql(task: BulkTask, add: AddParameter, within?: readonly number[]): string {
  const { model, view, reader, rows } = task;
  const terms: string[] = [];
  if (within) terms.push(`${ALIAS}.id = ${idsSql(task, within, add)}`);
  if ("ids" in rows) {
    const rule = rowRuleSql(model, "view", ALIAS, reader, add);
    if (rule) terms.push(`(${rule})`);
    if (!within) terms.push(`${ALIAS}.id = ${idsSql(task, rows.ids, add)}`);
  } else {
    terms.push(...scopeTerms(view, rows.scope, reader, add).map((term) => `(${term})`));
    if (rows.excludeIds.length > 0) terms.push(`NOT (${ALIAS}.id = ${idsSql(task, rows.excludeIds, add)})`);
  }
  return terms.length > 0 ? terms.join(" AND ") : "true";
}

function stampSql(field: Field | undefined, alias: string): string | undefined {
  return field?.column ? `${alias}.${quoteName(field.column)}` : undefined;
}

/** A table without moments tells nothing. */
export function snapshotReasons(task: BulkTask, alias: string, add: AddParameter): Reason<SnapshotRefusal>[] {
  const { model, snapshot } = task;
  if (snapshot === null) return [];
  const moment = `${add(snapshot)}::timestamptz`;
  const made = model.hasTimestamps
    ? `${alias}.created_at`
    : stampSql(model.fieldByName.get("created_at"), alias);
  const reasons: Reason<SnapshotRefusal>[] = [];
  if (made) reasons.push({ verdict: { type: "new_since" }, sql: `${made} > ${moment}` });
  if (model.hasTimestamps)
    reasons.push({ verdict: { type: "changed_since" }, sql: `${alias}.updated_at > ${moment}` });
  return reasons;
}

/** Reasons to leave a row of the task alone, as SQL over `t`: in the order in which a write decides it. */
function judgementReasons(task: BulkTask, add: AddParameter): Reason<SnapshotRefusal>[] {
  const { model, operation, reader, values } = task;
  const reasons: Reason<SnapshotRefusal>[] = forbiddenReasons(model, operation, ALIAS, reader, add);
  reasons.push(...snapshotReasons(task, ALIAS, add));
  if (operation === "update") reasons.push(unchangedReason(toTerms(values, add), ALIAS));
  return reasons;
}

/** `{ id, repr }` of some or the first of a task's rows. */
export function targetIdsSql(
  task: BulkTask,
  part: { within?: readonly number[]; limit?: number },
  add: AddParameter,
): string {
  return `SELECT ${ALIAS}.id::float8 AS id, ${titleSql(task.model, ALIAS, task.reader.lang)} AS repr ${fromSql(task.model)}
    WHERE ${targetSql(task, add, part.within)} ORDER BY ${ALIAS}.id
    ${part.limit === undefined ? "" : `LIMIT ${part.limit}`}`;
}

/** The number of a task's rows, counted up to a bound. */
export function boundedCountSql(task: BulkTask, max: number, add: AddParameter): string {
  return `SELECT count(*)::integer AS count
    FROM (SELECT ${fromSql(task.model)} WHERE ${targetSql(task, add)} LIMIT ${max}) AS found`;
}

/** A query of the whole rows that would be written, but for some. */
export function writtenRowsSql(task: BulkTask, exceptIds: readonly number[], add: AddParameter): string {
  return `SELECT ${ALIAS}.* ${fromSql(task.model)}
    WHERE ${targetSql(task, add)} AND ${stateSql(judgementReasons(task, add))} = 'written'
      AND NOT (${ALIAS}.id = ${idsSql(task, exceptIds, add)})`;
}

/** Ids of a task's rows in their order, from above one up to another. */
export function nextIdsSql(
  task: BulkTask,
  range: { after: number; upTo: number; limit: number },
  add: AddParameter,
): string {
  const { idType } = task.model;
  return `SELECT ${ALIAS}.id::float8 AS id ${fromSql(task.model)}
    WHERE ${targetSql(task, add)} AND ${ALIAS}.id > ${add(range.after)}::${idType} AND ${ALIAS}.id <= ${add(range.upTo)}::${idType}
    ORDER BY ${ALIAS}.id LIMIT ${range.limit}`;
}

/** Whole records of some of a task's rows, as its person sees them. */
export function recordsSql(task: BulkTask, ids: readonly number[], add: AddParameter): string {
  return `SELECT ${recordSql(task.view, task.reader)} ${fromSql(task.model)}
    WHERE ${ALIAS}.id = ${idsSql(task, ids, add)} ORDER BY ${ALIAS}.id`;
}

/** Written since this moment: no row is. Of a job whose request names no moment. */
export const NO_SNAPSHOT = "infinity";

/**
 * The moment up to which all that was written can be seen by a transaction that begins after the answer. A transaction that
 * is still writing has given its rows moments that are past, so the oldest one of them sets it; the microsecond is for rows
 * that bear the moment at which it began. Ask outside of the transaction that then looks. A role sees its own sessions.
 */
export async function selectSnapshot(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ moment: string }>(
    `SELECT least(clock_timestamp(), (
       SELECT min(xact_start) - interval '1 microsecond' FROM pg_stat_activity
       WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid())) AS moment`,
  );
  return rows[0]?.moment ?? "";
}

/** As long as a request may wait for a number. */
const COUNT_TIMEOUT_MS = 15_000;

/** The first of a task's rows that would come to a verdict. */
export async function selectIds(
  db: Queryable,
  task: BulkTask,
  type: Verdict<SnapshotRefusal>["type"],
  limit: number,
): Promise<readonly number[]> {
  const { add, values } = createParameters();
  const { rows } = await db.query<{ id: number }>(
    `SELECT ${ALIAS}.id::float8 AS id ${fromSql(task.model)}
     WHERE ${targetSql(task, add)} AND ${stateSql(judgementReasons(task, add))} = ${add(type)}
     ORDER BY ${ALIAS}.id LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => row.id);
}

/**
 * What would become of a task's rows, counted exactly without writing. Call it in a transaction: the time limit is its own.
 * @throws the database's 57014, which is answered as `request_timeout`.
 */
export async function judgeRows(db: Queryable, task: BulkTask): Promise<Tally> {
  await db.query(`SET LOCAL statement_timeout = ${COUNT_TIMEOUT_MS}`);
  const { add, values } = createParameters();
  const reasons = judgementReasons(task, add);
  const { rows } = await db.query<{ state: string; count: number }>(
    `SELECT ${stateSql(reasons)} AS state, count(*)::float8 AS count ${fromSql(task.model)}
     WHERE ${targetSql(task, add)} GROUP BY 1`,
    values,
  );
  const groups: Tally[number][] = [];
  for (const { state, count } of rows) {
    const verdict = toVerdict(state, reasons);
    const ids = verdict.type === "written" ? [] : await selectIds(db, task, verdict.type, NAMED_IDS_MAX);
    groups.push({ verdict, count, ids });
  }
  if (!("ids" in task.rows)) return groups;
  const named = createParameters();
  const met = await db.query<{ id: number }>(targetIdsSql(task, {}, named.add), named.values);
  return withMissing(groups, task, met.rows);
}
