import type { Reader } from "#server/base/actor.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Through } from "#server/models/declare.ts";
import type { AddParameter, Field, Model } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { ALIAS, fromSql } from "../records/record-sql.ts";

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

/** A caller's reasons, as SQL over `alias`, the row as it is now; the first that holds is its verdict. */
export type Refuse<Own extends Refusal> = (alias: string, add: AddParameter) => readonly Reason<Own>[];

export function columnSql(field: Field): string {
  return quoteName(field.column ?? field.name);
}

/** SQL of a written value. */
export function valueSql(field: Field, value: unknown, add: AddParameter): string {
  if (value === null && field.through) return "'{}'::bigint[]";
  if (value === null) return field.isNullable ? "NULL" : (field.createDefaultSql ?? "NULL");
  return `${add(field.kind.toParameter(value))}${field.kind.parameterCast}`;
}

/** A written field and the SQL of its value; over `b`, the locked row, where each row gets another one. */
export interface WrittenTerm {
  field: Field;
  sql: string;
}

export function toTerms(values: Values, add: AddParameter): WrittenTerm[] {
  return Array.from(values, ([field, value]) => ({ field, sql: valueSql(field, value, add) }));
}

/** SQL of the ids that a relation to many names, in order. */
export function linkedIdsSql(through: Through, alias: string): string {
  const to = `x.${quoteName(through.to)}::bigint`;
  return `ARRAY(SELECT ${to} FROM ${quoteName(through.table)} x WHERE x.${quoteName(through.from)} = ${alias}.id ORDER BY 1)`;
}

/** SQL of what a row has of a field: its column's value, or the ids of its links. */
export function heldSql(field: Field, alias: string): string {
  return field.through ? linkedIdsSql(field.through, alias) : field.sql(alias);
}

/**
 * Whether rows have links to others, which stand beside them. A statement sees those as they were when it began: what judges
 * them has to begin once the row is locked.
 */
export function hasLinks(model: Model): boolean {
  return model.fields.some((field) => field.through !== null);
}

/** Locks a row, `$1`, for what is to happen with it: whether others may refer to it meanwhile. */
export function lockSql(model: Model, operation: "update" | "delete"): string {
  const strength = operation === "delete" ? "FOR UPDATE" : "FOR NO KEY UPDATE";
  return `SELECT ${fromSql(model)} WHERE ${ALIAS}.id = $1::bigint ${strength}`;
}

/** Whether a written value is one that each row gets anew: asking for it takes it. */
function isTakenWhenWritten({ kind, createDefaultSql }: Field, value: string): boolean {
  return kind.createDefaultSql !== undefined && value === createDefaultSql;
}

/** SQL that says whether a row has another value than a written one, whose SQL is `value`. */
export function differsSql(field: Field, alias: string, value: string): string {
  return isTakenWhenWritten(field, value) ? "true" : `${heldSql(field, alias)} IS DISTINCT FROM ${value}`;
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

/** Of an update: whether the row has all values already. `terms` are SQL of them. */
export function unchangedReason(terms: readonly WrittenTerm[], alias: string): Reason<never> {
  const differs = terms.map(({ field, sql }) => differsSql(field, alias, sql));
  return {
    verdict: { type: "unchanged" },
    sql: differs.length > 0 ? `NOT (${differs.join(" OR ")})` : "true",
  };
}
