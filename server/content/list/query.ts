import type { BulkQuery } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { toCondition, toFieldCondition } from "#server/models/condition.ts";
import type { SortTerm } from "#server/models/declare.ts";
import {
  foldsTooMuch,
  isFoldedAway,
  patternSql,
  searchedSql,
  withPhrases,
} from "#server/models/filter-sql.ts";
import type { AddParameter, Condition } from "#server/models/model.ts";
import { conditionSql, rowRuleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "../records/access.ts";
import { ALIAS } from "../records/record-sql.ts";

/** The documented list query, checked against what its reader may see. Pages count from 1. */
export interface ListQuery extends Scope {
  page: number;
  pageSize: number;
  sort: readonly SortTerm[];
  /** Text of a `next_cursor`; null: the page decides. */
  cursor: string | null;
  /** The total counted, however long that takes within its limit. */
  isCountExact: boolean;
}

const INDEXED = /^(?:filters|sort)\[(\d{1,3})\]\[(field|operator|value|direction)\]$/;
const NAMES: ReadonlySet<string> = new Set(["page", "page_size", "search", "where", "cursor", "count"]);
/** A mistyped name must not list, or export, everything. */
const LIKE_OURS = /^(?:filter|sort|order|page|search|where|cursor|count)/i;

/** Whether a name of an address is one of the list query's. */
export function isListName(name: string): boolean {
  return NAMES.has(name) || INDEXED.test(name);
}

function invalid(parameter: string): AppError {
  return new AppError("invalid_query", { vars: { parameter } });
}

/** Every value of ours is one text: a repeated name comes as a list. */
function checkNames(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!LIKE_OURS.test(name)) continue;
    if (!isListName(name)) throw invalid(name);
    if (value !== undefined && typeof value !== "string") throw invalid(name);
  }
}

/** @throws AppError where it isn't a text, after `checkNames` never. */
function toText(query: Record<string, unknown>, name: string): string {
  const text = query[name] ?? "";
  if (typeof text !== "string") throw invalid(name);
  return text;
}

function parsePositive(query: Record<string, unknown>, name: string, fallback: number, max: number): number {
  const text = toText(query, name);
  if (text === "") return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalid(name);
  return value;
}

/** Collects `filters[0][field]=…` into one object per index, in the order of the indexes. */
function collect(
  query: Record<string, unknown>,
  group: "filters" | "sort",
  max: number,
): Record<string, string>[] {
  const byIndex = new Map<number, Record<string, string>>();
  for (const name of Object.keys(query)) {
    const match = name.startsWith(group) ? INDEXED.exec(name) : null;
    if (!match) continue;
    const index = Number(match[1]);
    const entry = byIndex.get(index) ?? {};
    entry[match[2] ?? ""] = toText(query, name);
    byIndex.set(index, entry);
  }
  if (byIndex.size > max) throw invalid(group);
  return [...byIndex].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

function toSortTerm(view: ModelView, entry: { field?: string; direction?: string }): SortTerm {
  const direction = entry.direction ?? "asc";
  if (!entry.field || (direction !== "asc" && direction !== "desc")) throw invalid("sort");
  if (entry.field !== "id" && !view.fieldByName.get(entry.field)?.isSortable)
    throw new AppError("unknown_field", { vars: { field: entry.field } });
  return { field: entry.field, direction };
}

/** Joins conditions; null where there are none. `name` says in errors where they are too many. */
function toAll(conditions: readonly Condition[], name: string): Condition | null {
  const all: Condition | undefined = conditions.length > 1 ? { type: "and", of: conditions } : conditions[0];
  if (all && foldsTooMuch(all)) throw invalid(name);
  return all ?? null;
}

/** Checks the text of a search: within the limit, storable, of a model that can be searched. */
function toSearch({ model }: ModelView, search: unknown): string {
  if (typeof search !== "string" || search.length > ADMIN_LIMITS.searchMaxChars || search.includes("\0")) {
    throw invalid("search");
  }
  const text = search.trim();
  // Without this, a search that can't be made would mean every row.
  if ((text !== "" && !model.isSearchable) || isFoldedAway(text)) throw invalid("search");
  return withPhrases(text, model.searchPhrases);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(name);
  }
}

function parseConditions(view: ModelView, query: Record<string, unknown>): Condition[] {
  const filters = collect(query, "filters", ADMIN_LIMITS.filtersMax).map((entry) =>
    toFieldCondition(view.fieldByName, entry),
  );
  const where = toText(query, "where");
  return where === "" ? filters : [...filters, toCondition(view.fieldByName, parseJson(where, "where"))];
}

/** Parses the query of a list. @throws AppError unknown_field, unknown_operator or invalid_query, each naming its cause. */
export function parseListQuery(view: ModelView, query: Record<string, unknown>): ListQuery {
  checkNames(query);
  const page = parsePositive(query, "page", 1, 999_999_999);
  const cursor = toText(query, "cursor");
  if (cursor !== "" && page > 1) throw invalid("cursor");
  const count = toText(query, "count");
  if (count !== "" && count !== "exact") throw invalid("count");
  return {
    page,
    pageSize: parsePositive(query, "page_size", ADMIN_LIMITS.pageSizeDefault, ADMIN_LIMITS.pageSizeMax),
    search: toSearch(view, query.search ?? ""),
    where: toAll(parseConditions(view, query), "filters, where"),
    sort: collect(query, "sort", ADMIN_LIMITS.sortsMax).map((entry) => toSortTerm(view, entry)),
    cursor: cursor === "" ? null : cursor,
    isCountExact: count === "exact",
  };
}

/** A list's search and conditions as a body has them. @throws AppError as `parseListQuery`. */
export function parseScope(view: ModelView, query: BulkQuery): Scope {
  if (query.filters.length > ADMIN_LIMITS.filtersMax) throw invalid("filters");
  const search = toSearch(view, query.search);
  const filters = query.filters.map((entry) => toFieldCondition(view.fieldByName, entry));
  const groups = query.where === null ? [] : [toCondition(view.fieldByName, query.where)];
  return { search, where: toAll([...filters, ...groups], "filters, where") };
}

/** A list's sort as a body has it. @throws AppError unknown_field, invalid_query. */
export function parseSort(view: ModelView, sort: readonly Partial<SortTerm>[]): SortTerm[] {
  if (sort.length > ADMIN_LIMITS.sortsMax) throw invalid("sort");
  return sort.map((entry) => toSortTerm(view, entry));
}

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
