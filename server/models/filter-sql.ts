import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { FilterOperator } from "#contract/content/models.ts";
import { quoteName } from "../db/sql.ts";
import type { AddParameter, Condition, FilterValue, Model } from "./model.ts";

/** SQL of what a search reads of a text column. Tables and kinds both take it from here, so that they can't differ. */
export function plainSearchSql(column: string): string {
  return `coalesce(${column}, '')`;
}

/** The same of a column that holds both languages. */
export function localizedSearchSql(column: string): string {
  return joinSearchSql([`coalesce(${column} ->> 'en', '')`, `coalesce(${column} ->> 'tr', '')`]);
}

function joinSearchSql(parts: readonly string[]): string {
  return parts.join(` || ' ' || `);
}

/** The folded text that searches read, from the parts of its fields. */
export function foldedSearchSql(parts: readonly string[]): string {
  return `foyer_fold(${joinSearchSql(parts)})`;
}

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

/** What `foyer_fold` takes away after NFKD. */
const MARKS = /[\u0300-\u036f]/g;

/**
 * Whether folding leaves nothing of a text that isn't blank, such as the accent of a dead key alone. Its pattern would find
 * every row, where whoever typed it looked for something.
 */
export function isFoldedAway(text: string): boolean {
  return text.trim() !== "" && text.normalize("NFKD").replace(MARKS, "").trim() === "";
}

/** As `foyer_fold` does. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").replaceAll("ı", "i").toLowerCase();
}

/** A search in which a phrase that stands for another is replaced by it, however it is written. */
export function withPhrases(search: string, phrases: Readonly<Record<string, string>>): string {
  const folded = fold(search);
  const [phrase, stored] = Object.entries(phrases).find(([known]) => folded.includes(fold(known))) ?? [];
  return phrase === undefined || stored === undefined ? search : folded.replace(fold(phrase), stored);
}

/** Operators that fold each row's value: no index helps, and folding is what makes them slow. */
const FOLDING: ReadonlySet<string> = new Set(["contains", "startswith", "iexact"]);

/** Only texts are folded: `contains` of a list looks for one of its values. */
function isFolding({ field, operator }: Extract<Condition, { type: "field" }>): boolean {
  return FOLDING.has(operator) && field.kind.operators.includes("iexact");
}

function countFolding(condition: Condition): number {
  switch (condition.type) {
    case "and":
    case "or":
      return condition.of.reduce((sum, part) => sum + countFolding(part), 0);
    case "not":
      return countFolding(condition.of);
    case "field":
      return isFolding(condition) ? 1 : 0;
    default:
      return 0;
  }
}

/** Whether a query folds more than a list has time for. */
export function foldsTooMuch(condition: Condition): boolean {
  return countFolding(condition) > ADMIN_LIMITS.foldingConditionsMax;
}

const COMPARISONS: Partial<Record<FilterOperator, string>> = {
  exact: "=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

export const TEXT_OPERATORS = ["contains", "exact", "iexact", "startswith", "in", "isnull"] as const;
export const ORDERED_OPERATORS = ["exact", "gt", "gte", "lt", "lte", "in", "isnull", "range"] as const;

/**
 * Comparison filters on one SQL expression. `parse` turns the text of a value into a parameter, undefined when it isn't one.
 * `in` is `= ANY`, so that the statement's text does not depend on how many values there are; `range` holds both ends.
 */
export function comparisonFilter(
  expression: string,
  operator: FilterOperator,
  value: FilterValue,
  add: AddParameter,
  options: { cast: string; parse: (text: string) => unknown },
): string | undefined {
  const { cast, parse } = options;
  if (typeof value !== "string") {
    const values = value.map(parse);
    if (values.includes(undefined)) return undefined;
    if (operator === "in") return `${expression} = ANY(${add(values)}::${cast}[])`;
    return `${expression} BETWEEN ${add(values[0])}::${cast} AND ${add(values[1])}::${cast}`;
  }
  const sign = COMPARISONS[operator];
  const parsed = parse(value);
  if (!sign || parsed === undefined) return undefined;
  return `${expression} ${sign} ${add(parsed)}::${cast}`;
}

/**
 * SQL of a searched text as a LIKE pattern: folded first, then `%`, `_` and `\` made to stand for themselves, because folding
 * turns their full-width forms into them. PostgreSQL computes it once, while it plans.
 */
export function patternSql(placeholder: string): string {
  return String.raw`regexp_replace(foyer_fold(${placeholder}), '([\\%_])', '\\\1', 'g')`;
}

/** Text filters, folded the way searches are: "IŞIK" finds "ışık". `exact` compares letter by letter. */
export function textFilter(
  expression: string,
  operator: FilterOperator,
  value: FilterValue,
  add: AddParameter,
): string | undefined {
  if (typeof value !== "string")
    return comparisonFilter(expression, operator, value, add, { cast: "text", parse: (text) => text });
  if (operator !== "exact" && isFoldedAway(value)) return undefined;
  switch (operator) {
    case "contains":
      return `foyer_fold(${expression}) LIKE '%' || ${patternSql(add(value))} || '%'`;
    case "startswith":
      return `foyer_fold(${expression}) LIKE ${patternSql(add(value))} || '%'`;
    case "iexact":
      return `foyer_fold(${expression}) = foyer_fold(${add(value)})`;
    default:
      return comparisonFilter(expression, operator, value, add, { cast: "text", parse: (text) => text });
  }
}
