import { AppError } from "#server/base/errors.ts";
import { type AddParameter, type Condition, type Field, type Model, rulesFor } from "./model.ts";
import type { Reader } from "./reader.ts";

function meSql(field: Field, alias: string, add: AddParameter, userId: number | null): string {
  const sql =
    userId === null ? undefined : field.kind.filterSql(field.sql(alias), "exact", String(userId), add, field);
  return sql === undefined ? "false" : `(${sql})`;
}

/** Whether people of a level may view every row of a model, but for rules that depend on other models in turn. */
function isOpen(model: Model, level: number): boolean {
  const { access } = model;
  const hides = rulesFor(model, "view", level).some(({ where }) => where.type !== "viewable");
  return access.view !== null && level >= access.view && !hides;
}

/** Who may view everything also sees what speaks of models that are gone. */
function viewableSql(column: string, models: readonly Model[], level: number): string {
  const open = models.filter((model) => isOpen(model, level));
  if (open.length === models.length) return "true";
  const ids = open.map((model) => model.contentTypeId).join(", ");
  return `(${column} IS NULL OR ${column} = ANY(ARRAY[${ids}]::integer[]))`;
}

/** SQL of conditions over the rows of an alias, for a reader. Values go through `add`. */
export function conditionSql(
  condition: Condition,
  alias: string,
  add: AddParameter,
  reader: Pick<Reader, "level" | "userId">,
): string {
  switch (condition.type) {
    case "and":
    case "or":
      return `(${condition.of
        .map((part) => conditionSql(part, alias, add, reader))
        .join(condition.type === "and" ? " AND " : " OR ")})`;
    case "not":
      // What is neither true nor false counts as not fulfilled, and its opposite as fulfilled.
      return `((${conditionSql(condition.of, alias, add, reader)}) IS NOT TRUE)`;
    case "me":
      return meSql(condition.field, alias, add, reader.userId);
    case "viewable":
      return viewableSql(condition.field.sql(alias), condition.models, reader.level);
    case "field": {
      const { field, operator, value } = condition;
      const column = field.sql(alias);
      if (operator === "isnull" && field.kind.relates !== "many")
        return `(${column} IS ${value === "true" ? "" : "NOT "}NULL)`;
      const sql = field.kind.filterSql(column, operator, value, add, field);
      if (sql === undefined)
        throw new AppError("invalid_query", { vars: { parameter: `filters ${field.name}` } });
      return `(${sql})`;
    }
  }
}
