import type { FilterOperator } from "#contract/models.ts";
import { type Condition, rulesFor } from "#server/models/model.ts";
import type { Scope } from "./scope.ts";
import type { ModelView } from "./view.ts";

/** What the planner's statistics of a column tell the share of. */
const PLAIN: ReadonlySet<FilterOperator> = new Set([
  "exact",
  "in",
  "isnull",
  "range",
  "gt",
  "gte",
  "lt",
  "lte",
]);

function isPlain(condition: Condition): boolean {
  if (condition.type !== "field") return condition.type === "me";
  const { field, operator } = condition;
  return PLAIN.has(operator) && field.column !== null && !field.kind.columnTypes.includes("jsonb");
}

/**
 * Whether the planner's estimate is to be believed: no more than one condition, on a column that it keeps statistics of.
 * Of patterns it knows little, and several conditions it takes for independent.
 */
export function isEstimable({ model, level }: ModelView, scope: Scope): boolean {
  const rules = rulesFor(model, "view", level).map((rule) => rule.where);
  const conditions = scope.where ? [...rules, scope.where] : rules;
  return scope.search === "" && conditions.length <= 1 && conditions.every(isPlain);
}
