import type { FilterOperator } from "#contract/models.ts";
import { isFoldedAway } from "./folding.ts";
import type { AddParameter, FilterValue } from "./model.ts";

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
