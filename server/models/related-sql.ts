import { quoteName, toLiteral } from "../db/sql.ts";
import { type Field, type Model, rulesFor } from "./model.ts";
import type { Reader } from "./reader.ts";
import { conditionSql } from "./row-sql.ts";
import { titleSql } from "./title-sql.ts";

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

/** Name of a related row as far as the reader may see it; else its number. */
export function relatedReprSql(field: Field, alias: string, reader: Reader): string {
  const related = requireRelated(field);
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
