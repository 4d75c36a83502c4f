import { type ActionType, auditInsertSql } from "#server/audit/service.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Through } from "#server/models/declare.ts";
import type { AddParameter, Field, Model } from "#server/models/model.ts";
import { rowRuleSql, titleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "../records/access.ts";
import { etagSql } from "../records/record.ts";
import { ALIAS, idSql, recordSql } from "../records/record-sql.ts";
import { changedSql, createdSql, deletedSql, messageSql } from "./changes-sql.ts";

/** Checked values of a write; null empties the field or gives it its default. */
export type Values = ReadonlyMap<Field, unknown>;

/** A reason of a caller's own to leave a row alone. */
export interface Refusal {
  type: string;
  field?: Field;
}

/** What becomes of a row: it is written, the model's rules keep it, it has the values already, or a refusal of the caller's holds. */
export type Verdict<Own extends Refusal> =
  | { type: "written" }
  | { type: "forbidden" }
  | { type: "unchanged" }
  | Own;

/** A reason to leave a row alone, as SQL over an alias of it. */
export interface Reason<Own extends Refusal> {
  verdict: Exclude<Verdict<Own>, { type: "written" }>;
  sql: string;
}

/** Which rows a statement writes, for whom. */
export interface RowsWrite {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  add: AddParameter;
  /** SQL of a condition over `t`. Rows that the reader can't see are left out without a word. */
  where: string;
  /** At most this many, from the lowest id on. */
  limit?: number;
  /** Conditions over `b`, the locked row as it is now; the first that holds is its state. */
  refusals?: readonly Reason<Refusal>[];
  /** Of the audit entries. */
  detail?: string | null;
  /** Their `updated_at` stays: what the rows say has not changed. */
  keepsMoment?: boolean;
  /** What comes back of each row: `{ id, repr, "@state" }`, or the whole record with `"@state"` and `"@etag"`. */
  returning: "summary" | "record";
  /** SQL over `t`, a written row, of something that is to happen with it; answered as `"@notice"`. */
  notice?: string;
}

/** A row of a statement's answer; names of fields never begin with `@`. */
export interface WrittenSummary {
  id: number;
  repr: string;
  /** Names the verdict: see `toVerdict`. */
  "@state": string;
}

/** The locked row before the write, and the row after it. */
const BEFORE = "b";
const AFTER = "a";

/** SQL of a written value. */
export function valueSql(field: Field, value: unknown, add: AddParameter): string {
  if (value === null && field.through) return "'{}'::bigint[]";
  if (value === null) return field.isNullable ? "NULL" : (field.createDefaultSql ?? "NULL");
  return `${add(field.kind.toParameter(value))}${field.kind.parameterCast}`;
}

/** SQL of the ids that a relation to many names, in order. */
export function linkedIdsSql(through: Through, alias: string): string {
  const to = `x.${quoteName(through.to)}::bigint`;
  return `ARRAY(SELECT ${to} FROM ${quoteName(through.table)} x WHERE x.${quoteName(through.from)} = ${alias}.id ORDER BY 1)`;
}

/** Whether a written value is one that each row gets anew: asking for it takes it. */
function isTakenWhenWritten({ kind, createDefaultSql }: Field, value: string): boolean {
  return kind.createDefaultSql !== undefined && value === createDefaultSql;
}

/** SQL that says whether a row has another value than a written one, whose SQL is `value`. */
export function differsSql(field: Field, alias: string, value: string): string {
  if (isTakenWhenWritten(field, value)) return "true";
  return field.through
    ? `${linkedIdsSql(field.through, alias)} IS DISTINCT FROM ${value}`
    : `${field.sql(alias)} IS DISTINCT FROM ${value}`;
}

export function columnSql(field: Field): string {
  return quoteName(field.column ?? field.name);
}

function writeAuditSql(
  { view, actor, add, reader, detail }: Pick<RowsWrite, "view" | "actor" | "add" | "reader" | "detail">,
  entry: { action: ActionType; from: string; alias: string; message: string; changes: string },
): string {
  const { model } = view;
  const query = {
    ...entry,
    detail: detail ?? null,
    contentTypeId: model.contentTypeId,
    objectId: `${entry.alias}.id`,
    objectRepr: titleSql(model, entry.alias, reader.lang),
  };
  return auditInsertSql(actor, query, add);
}

/** Locks the rows in the order of their ids, so that two writers never wait for each other, and says what is to become of each. */
function judgeSql(write: RowsWrite, lock: string, reasons: readonly Reason<Refusal>[]): string {
  const { view, reader, add, where, limit } = write;
  const rule = rowRuleSql(view.model, "view", ALIAS, reader, add);
  return `locked AS MATERIALIZED (
    SELECT ${ALIAS}.* FROM ${quoteName(view.model.table)} ${ALIAS}
    WHERE (${where})${rule ? ` AND ${rule}` : ""}
    ORDER BY ${ALIAS}.id${limit === undefined ? "" : ` LIMIT ${limit}`} ${lock} OF ${ALIAS}
  ), judged AS MATERIALIZED (SELECT ${BEFORE}.*, ${stateSql(reasons)} AS "@state" FROM locked ${BEFORE})`;
}

function resultSql(write: Pick<RowsWrite, "view" | "reader" | "returning" | "notice">): string {
  const { view, reader, returning, notice } = write;
  const values =
    returning === "record"
      ? `${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag"`
      : `${idSql(view.model)} AS id, ${titleSql(view.model, ALIAS, reader.lang)} AS repr`;
  const notified = notice ? `, CASE WHEN ${ALIAS}."@state" = 'written' THEN ${notice} END AS "@notice"` : "";
  return `${values}, ${ALIAS}."@state"${notified}`;
}

/** One statement: a new row, its audit entry, and the record. */
export function insertSql(write: Omit<RowsWrite, "where" | "limit" | "refusals">, values: Values): string {
  const { view, reader, add } = write;
  const { model } = view;
  const columns = [...values.keys()].map(columnSql);
  const terms = [...values].map(([field, value]) => valueSql(field, value, add));
  const row = columns.length > 0 ? `(${columns.join(", ")}) VALUES (${terms.join(", ")})` : "DEFAULT VALUES";
  const audit = writeAuditSql(write, {
    action: "CREATE",
    from: `made ${AFTER}`,
    alias: AFTER,
    message: "'Created'",
    changes: createdSql(model, reader, AFTER),
  });
  return `WITH made AS (INSERT INTO ${quoteName(model.table)} ${row} RETURNING *), audited AS (${audit})
    SELECT ${resultSql(write)} FROM (SELECT made.*, 'written' AS "@state" FROM made) ${ALIAS}`;
}

/** A written field and the SQL of its value; over `b`, the locked row, where each row gets another one. */
export interface WrittenTerm {
  field: Field;
  sql: string;
}

/** One statement: the same values for a set of rows. */
export function updateSql(write: RowsWrite, values: Values): string {
  const terms = Array.from(values, ([field, value]) => ({ field, sql: valueSql(field, value, write.add) }));
  return updateTermsSql(write, terms);
}

/**
 * One statement: values for a set of rows, an audit entry for each that they change, and what became of each.
 * A row that already has the values is left as it is.
 */
export function updateTermsSql(write: RowsWrite, terms: readonly WrittenTerm[]): string {
  const { view, reader, add, refusals = [] } = write;
  const { model } = view;
  const fields = terms.map(({ field }) => field);
  const differs = terms.map(({ field, sql }) => differsSql(field, BEFORE, sql));
  const judged = judgeSql(write, "FOR NO KEY UPDATE", [
    ...forbiddenReasons(model, "update", BEFORE, reader, add),
    ...refusals,
    unchangedReason(differs),
  ]);
  if (terms.length === 0)
    return `WITH ${judged} SELECT ${resultSql(write)} FROM judged ${ALIAS} ORDER BY ${ALIAS}.id`;
  const set = terms.map(({ field, sql }) => `${columnSql(field)} = ${sql}`);
  if (model.hasTimestamps && !write.keepsMoment) set.push("updated_at = clock_timestamp()");
  const audit = writeAuditSql(write, {
    action: "UPDATE",
    from: `judged ${BEFORE} JOIN changed ${AFTER} ON ${AFTER}.id = ${BEFORE}.id`,
    alias: AFTER,
    message: messageSql(fields, BEFORE, AFTER),
    changes: changedSql(fields, reader, BEFORE, AFTER),
  });
  return `WITH ${judged}, changed AS (
      UPDATE ${quoteName(model.table)} ${ALIAS} SET ${set.join(", ")} FROM judged ${BEFORE}
      WHERE ${ALIAS}.id = ${BEFORE}.id AND ${BEFORE}."@state" = 'written' RETURNING ${ALIAS}.*
    ), audited AS (${audit})
    SELECT ${resultSql(write)} FROM (
      SELECT changed.*, 'written' AS "@state" FROM changed
      UNION ALL SELECT * FROM judged WHERE "@state" <> 'written'
    ) ${ALIAS} ORDER BY ${ALIAS}.id`;
}

/** One statement: a set of rows deleted, an audit entry for each with all that it held, and what became of each. */
export function deleteSql(write: RowsWrite): string {
  const { view, reader, add, refusals = [] } = write;
  const { model } = view;
  const judged = judgeSql(write, "FOR UPDATE", [
    ...forbiddenReasons(model, "delete", BEFORE, reader, add),
    ...refusals,
  ]);
  const audit = writeAuditSql(write, {
    action: "DELETE",
    from: `judged ${BEFORE} WHERE ${BEFORE}."@state" = 'written'`,
    alias: BEFORE,
    message: "'Deleted'",
    changes: deletedSql(model, reader, BEFORE),
  });
  return `WITH ${judged}, audited AS (${audit}), gone AS (
      DELETE FROM ${quoteName(model.table)} ${ALIAS} USING judged ${BEFORE}
      WHERE ${ALIAS}.id = ${BEFORE}.id AND ${BEFORE}."@state" = 'written'
    )
    SELECT ${resultSql(write)} FROM judged ${ALIAS} ORDER BY ${ALIAS}.id`;
}

function toState({ type, field }: Refusal): string {
  return field ? `${type} ${field.name}` : type;
}

/** The verdict that a statement's `"@state"` names, among the reasons that it was given. */
export function toVerdict<Own extends Refusal>(state: string, reasons: readonly Reason<Own>[]): Verdict<Own> {
  if (state === "written" || state === "unchanged" || state === "forbidden") return { type: state };
  const reason = reasons.find(({ verdict }) => toState(verdict) === state);
  if (!reason) throw new Error(`no reason is called "${state}"`);
  return reason.verdict;
}

/** SQL of what is to become of a row: the first reason that holds, or `written`. */
export function stateSql(reasons: readonly Reason<Refusal>[]): string {
  const cases = reasons.map(({ verdict, sql }) => `WHEN ${sql} THEN '${toState(verdict)}'`);
  return cases.length > 0 ? `CASE ${cases.join(" ")} ELSE 'written' END` : "'written'";
}

/** The row rules of an operation. */
export function forbiddenReasons(
  model: Model,
  operation: "update" | "delete",
  alias: string,
  reader: Reader,
  add: AddParameter,
): Reason<never>[] {
  const rule = rowRuleSql(model, operation, alias, reader, add);
  return rule ? [{ verdict: { type: "forbidden" }, sql: `(${rule}) IS NOT TRUE` }] : [];
}

/** Of an update: SQL of each value that says whether the row has another one. */
export function unchangedReason(differs: readonly string[]): Reason<never> {
  return {
    verdict: { type: "unchanged" },
    sql: differs.length > 0 ? `NOT (${differs.join(" OR ")})` : "true",
  };
}
