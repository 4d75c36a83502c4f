import { MAX_INT4 } from "#server/db/sql.ts";
import type { AddParameter, Field } from "#server/models/model.ts";
import { rowRuleSql, titleSql } from "#server/models/row-sql.ts";
import { quoteName } from "../../db/sql.ts";
import { ALIAS, fromSql, recordSql } from "../records/record-sql.ts";
import { scopeTerms } from "../scope.ts";
import { forbiddenReasons, type Reason, stateSql, unchangedReason } from "../state-sql.ts";
import { differsSql, valueSql } from "../write/write-sql.ts";
import type { BulkTask } from "./task.ts";

/** SQL of a list of ids; those that the column can't hold name no row. */
function idsSql(task: BulkTask, ids: readonly number[], add: AddParameter): string {
  const { idType } = task.model;
  const fitting = idType === "bigint" ? ids : ids.filter((id) => Math.abs(id) <= MAX_INT4);
  return `ANY(${add(fitting)}::${idType}[])`;
}

/** SQL over `t` of the rows that a task is about, as far as its person meets them; `within` narrows them to some ids. */
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

/**
 * Rows that were written since the task's snapshot. `new_since`: they were not there at all, and so don't count as drift.
 * A table without moments tells nothing.
 */
export function snapshotReasons(task: BulkTask, alias: string, add: AddParameter): Reason[] {
  const { model, snapshot } = task;
  if (snapshot === null) return [];
  const moment = `${add(snapshot)}::timestamptz`;
  const made = model.hasTimestamps
    ? `${alias}.created_at`
    : stampSql(model.fieldByName.get("created_at"), alias);
  const reasons = made ? [{ state: "new_since", sql: `${made} > ${moment}` }] : [];
  if (model.hasTimestamps) reasons.push({ state: "changed_since", sql: `${alias}.updated_at > ${moment}` });
  return reasons;
}

/** The state that each row of the task would come to, as SQL over `t`: in the order in which a write decides it. */
function judgementSql(task: BulkTask, add: AddParameter): string {
  const { model, operation, reader, values } = task;
  const reasons = forbiddenReasons(model, operation, ALIAS, reader, add);
  reasons.push(...snapshotReasons(task, ALIAS, add));
  if (operation === "update") {
    const differs = Array.from(values, ([field, value]) =>
      differsSql(field, ALIAS, valueSql(field, value, add)),
    );
    reasons.push(unchangedReason(differs));
  }
  return stateSql(reasons);
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

/** `{ state, count }` of a task's rows. */
export function countSql(task: BulkTask, add: AddParameter): string {
  return `SELECT ${judgementSql(task, add)} AS state, count(*)::float8 AS count ${fromSql(task.model)}
    WHERE ${targetSql(task, add)} GROUP BY 1`;
}

/** The first ids of a state, or of all rows that would be written. */
export function idsOfStateSql(task: BulkTask, state: string, limit: number, add: AddParameter): string {
  return `SELECT ${ALIAS}.id::float8 AS id ${fromSql(task.model)}
    WHERE ${targetSql(task, add)} AND ${judgementSql(task, add)} = ${add(state)}
    ORDER BY ${ALIAS}.id LIMIT ${limit}`;
}

/** The number of a task's rows, counted up to a bound. */
export function boundedCountSql(task: BulkTask, max: number, add: AddParameter): string {
  return `SELECT count(*)::integer AS count
    FROM (SELECT ${fromSql(task.model)} WHERE ${targetSql(task, add)} LIMIT ${max}) AS found`;
}

/** A query of the whole rows that would be written, but for some. */
export function writtenRowsSql(task: BulkTask, exceptIds: readonly number[], add: AddParameter): string {
  return `SELECT ${ALIAS}.* ${fromSql(task.model)}
    WHERE ${targetSql(task, add)} AND ${judgementSql(task, add)} = 'written'
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
