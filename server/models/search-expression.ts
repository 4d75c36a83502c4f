import { quoteName } from "../db/sql.ts";
import { foldedSearchSql } from "./filter-sql.ts";
import type { Model } from "./model.ts";

/** SQL of the folded text of a row: what its search column holds. Never null. */
export function searchExpressionSql(model: Model, alias: string): string {
  const parts = model.searchFields.map((name) => {
    const field = model.fieldByName.get(name);
    if (!field?.kind.searchSql) throw new Error(`${model.key}: ${name} can't be searched`);
    return field.kind.searchSql(field.sql(alias));
  });
  return foldedSearchSql(parts);
}

/** Models whose search column is filled and indexed, in this process's knowledge. */
const ready = new WeakSet<Model>();

/** Whether searches of a model may read its column: always, unless the column is built beside the running server. */
export function isSearchReady(model: Model): boolean {
  return !model.searchIsBuilt || ready.has(model);
}

/** Called by who built the column, or found it built. */
export function markSearchReady(model: Model): void {
  ready.add(model);
}

/** SQL of what a search compares: the column, or the expression itself while the column is not ready: slow, and right. */
export function searchedSql(model: Model, alias: string): string {
  return isSearchReady(model) ? `${alias}.${quoteName("search")}` : searchExpressionSql(model, alias);
}
