import type { Language } from "#contract/languages.ts";
import type { Reader } from "../base/actor.ts";
import { AppError } from "../base/errors.ts";
import { quoteName, toLiteral } from "../db/sql.ts";
import { type AddParameter, type Condition, type Field, type Model, rulesFor } from "./model.ts";

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

/** A reader who may view everything also sees what speaks of models that are gone. */
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

/** How people call a row of a model, as SQL over the alias of its table. */
export function titleSql(model: Model, alias: string, lang: Language): string {
  const field = model.fieldByName.get(model.titleField);
  if (!field) throw new Error(`${model.key}: no title field ${model.titleField}`);
  return `coalesce(${field.kind.textSql(field.sql(alias), lang, field)}, '#' || ${alias}.id)`;
}

export function requireRelated(field: Field): Model {
  if (!field.related) throw new Error(`${field.name}: a relation without its model`);
  return field.related;
}

/** SQL that says whether a reader may see a row of a model; undefined: every row. `false`: none. */
export function rowRuleSql(
  model: Model,
  operation: "view" | "update" | "delete",
  alias: string,
  reader: Pick<Reader, "level" | "userId">,
  add = toLiteral,
): string | undefined {
  const rules = rulesFor(model, operation, reader.level);
  return rules.length === 0
    ? undefined
    : rules.map((rule) => conditionSql(rule.where, alias, add, reader)).join(" AND ");
}

/** The model of the CV's sections, which the owner orders and hides. */
export const SECTION_MODEL = "cv.section";

/** SQL that says whether the owner hid the section of a model. */
export function isSectionHiddenSql(key: string): string {
  return `EXISTS (SELECT FROM cv_section s WHERE s.model = ${toLiteral(key)} AND s.is_hidden)`;
}

/** SQL that says whether visitors see a row of a model; undefined: every row. `false`: none. */
export function visitorRowSql(model: Model, alias: string): string | undefined {
  if (!model.site) return "false";
  const conditions = [
    rowRuleSql(model, "view", alias, { level: 0, userId: null }),
    model.fieldByName.get("is_hidden") && `NOT ${alias}.is_hidden`,
    model.site.where && `(${model.site.where.replaceAll("{row}", alias)})`,
    // A hidden section hides its rows wherever visitors would meet them, but for rows that another page shows too.
    model.site.section && !model.site.isElsewhere && `NOT ${isSectionHiddenSql(model.key)}`,
  ].filter((condition) => typeof condition === "string");
  return conditions.length > 0 ? conditions.join(" AND ") : undefined;
}

/** What visitors call a row: null where they don't see it, or where it has no name. */
function visitorReprSql(model: Model, alias: string, lang: Language): string {
  const title = model.fieldByName.get(model.titleField);
  const isOpen = title !== undefined && title.viewLevel === 0;
  const given = isOpen ? title.kind.textSql(title.sql(alias), lang, title) : "NULL::text";
  const name = model.site?.title?.replaceAll("{row}", alias) ?? given;
  const rule = visitorRowSql(model, alias);
  return rule ? `CASE WHEN ${rule} THEN ${name} END` : name;
}

/** Name of a related row as far as the reader may see it; else its number, and for visitors nothing. */
export function relatedReprSql(field: Field, alias: string, reader: Reader): string {
  const related = requireRelated(field);
  if (reader.isVisitor) return visitorReprSql(related, alias, reader.lang);
  const unknown = `'#' || ${alias}.id`;
  if (related.access.view === null || reader.level < related.access.view) return unknown;
  const title = titleSql(related, alias, reader.lang);
  const rule = rowRuleSql(related, "view", alias, reader);
  return rule ? `CASE WHEN ${rule} THEN ${title} ELSE ${unknown} END` : title;
}

/** A related row as it travels, `{ id, repr }`, from the id in `column`; null where it is gone. */
export function relatedSql(column: string, field: Field, reader: Reader): string {
  const table = quoteName(requireRelated(field).table);
  return `(SELECT json_build_object('id', r.id, 'repr', ${relatedReprSql(field, "r", reader)}) FROM ${table} r WHERE r.id = ${column})`;
}
