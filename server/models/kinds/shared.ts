import type { FilterOperator } from "#contract/models.ts";
import type { AddParameter } from "../model.ts";

const COMPARISONS: Partial<Record<FilterOperator, string>> = {
  exact: "=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

export const TEXT_OPERATORS = ["contains", "exact", "iexact", "startswith", "in", "isnull"] as const;
export const ORDERED_OPERATORS = ["exact", "gt", "gte", "lt", "lte", "in", "isnull"] as const;

/** Splits the value of an `in` filter: `a,b,c`. */
function splitList(value: string): string[] {
  return value.split(",").map((part) => part.trim());
}

/**
 * Comparison filters on one SQL expression. `parse` turns the text of a value into a parameter, undefined when it isn't one.
 * `in` is `= ANY`, so that the statement's text does not depend on how many values there are.
 */
export function comparisonFilter(
  expression: string,
  operator: FilterOperator,
  value: string,
  add: AddParameter,
  options: { cast: string; parse: (text: string) => unknown },
): string | undefined {
  if (operator === "in") {
    const values = splitList(value).map(options.parse);
    if (values.includes(undefined)) return undefined;
    return `${expression} = ANY(${add(values)}::${options.cast}[])`;
  }
  const sign = COMPARISONS[operator];
  const parsed = options.parse(value);
  if (!sign || parsed === undefined) return undefined;
  return `${expression} ${sign} ${add(parsed)}::${options.cast}`;
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
  value: string,
  add: AddParameter,
): string | undefined {
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

/** Quotes a text as an SQL literal, for COPY, which takes no parameters. */
export function quoteLiteral(value: string): string {
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}
