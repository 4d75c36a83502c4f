import type { Reader } from "#server/base/actor.ts";
import type { AddParameter, Model } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";

/** A reason to leave a row alone, as SQL over an alias of it. */
export interface Reason {
  state: string;
  sql: string;
}

/** SQL of what is to become of a row: the first reason that holds, or `written`. */
export function stateSql(reasons: readonly Reason[]): string {
  const cases = reasons.map(({ state, sql }) => `WHEN ${sql} THEN '${state}'`);
  return cases.length > 0 ? `CASE ${cases.join(" ")} ELSE 'written' END` : "'written'";
}

/** The row rules of an operation. */
export function forbiddenReasons(
  model: Model,
  operation: "update" | "delete",
  alias: string,
  reader: Reader,
  add: AddParameter,
): Reason[] {
  const rule = rowRuleSql(model, operation, alias, reader, add);
  return rule ? [{ state: "forbidden", sql: `(${rule}) IS NOT TRUE` }] : [];
}

/** Of an update: SQL of each value that says whether the row has another one. */
export function unchangedReason(differs: readonly string[]): Reason {
  return { state: "unchanged", sql: differs.length > 0 ? `NOT (${differs.join(" OR ")})` : "true" };
}
