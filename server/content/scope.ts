import type { Reader } from "#server/base/actor.ts";
import { patternSql, searchedSql } from "#server/models/filter-sql.ts";
import type { AddParameter, Condition } from "#server/models/model.ts";
import { conditionSql, rowRuleSql } from "#server/models/row-sql.ts";
import { ALIAS } from "./records/record-sql.ts";
import type { ModelView } from "./view.ts";

/** Which rows: what a list shows, an export holds and a bulk operation writes. */
export interface Scope {
  /** Trimmed; empty: no search. */
  search: string;
  where: Condition | null;
}

export const EVERYTHING: Scope = { search: "", where: null };

/** Conditions of a scope over `t`, the reader's row rules among them; an empty list: every row. */
export function scopeTerms(view: ModelView, scope: Scope, reader: Reader, add: AddParameter): string[] {
  const rule = rowRuleSql(view.model, "view", ALIAS, reader, add);
  const terms = rule ? [rule] : [];
  if (scope.where) terms.push(conditionSql(scope.where, ALIAS, add, reader));
  if (scope.search !== "")
    terms.push(`${searchedSql(view.model, ALIAS)} LIKE '%' || ${patternSql(add(scope.search))} || '%'`);
  return terms;
}

/** `WHERE …` of a scope, or an empty text. */
export function whereSql(view: ModelView, scope: Scope, reader: Reader, add: AddParameter): string {
  const terms = scopeTerms(view, scope, reader, add);
  return terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
}
