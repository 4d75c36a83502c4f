import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/http/errors.ts";
import { titleSql } from "#server/models/kinds/relation.ts";
import { patternSql } from "#server/models/kinds/shared.ts";
import type { AddParameter } from "#server/models/model.ts";
import { type Model, quoteName } from "#server/models/model.ts";
import type { Filter, ListQuery } from "./query.ts";

/** Alias of the model's table in every statement of this folder. */
export const ALIAS = "t";

export function columnSql(name: string): string {
  return `${ALIAS}.${quoteName(name)}`;
}

/** `FROM "table" t`. */
export function fromSql(model: Model): string {
  return `FROM ${quoteName(model.table)} ${ALIAS}`;
}

/** The values of a record as they travel: `id`, `repr` and every declared field. */
export function recordSql(model: Model, lang: Language): string {
  const fields = model.fields.map(
    (field) => `${field.kind.readSql(columnSql(field.name), field, lang)} AS ${quoteName(field.name)}`,
  );
  return [`${ALIAS}.id`, `${titleSql(model, ALIAS, lang)} AS repr`, ...fields].join(", ");
}

function filterSql(filter: Filter, add: AddParameter): string {
  const column = columnSql(filter.field.name);
  const invalid = new AppError("invalid_query", { vars: { parameter: `filters ${filter.field.name}` } });
  if (filter.value.includes("\0")) throw invalid;
  if (filter.operator === "isnull") {
    if (filter.value !== "true" && filter.value !== "false") throw invalid;
    return `${column} IS ${filter.value === "true" ? "" : "NOT "}NULL`;
  }
  const sql = filter.field.kind.filterSql(column, filter.operator, filter.value, add);
  if (sql === undefined) throw invalid;
  return sql;
}

/** `WHERE …` of search and filters, or an empty text. Values go through `add`. */
export function whereSql(
  model: Model,
  query: Pick<ListQuery, "search" | "filters">,
  add: AddParameter,
): string {
  const terms = query.filters.map((filter) => filterSql(filter, add));
  if (query.search !== "" && model.isSearchable) {
    terms.push(`${ALIAS}.search LIKE '%' || ${patternSql(add(query.search))} || '%'`);
  }
  return terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
}

/** `ORDER BY …`. It always ends with the key, so that pages neither repeat nor miss a row. */
export function orderSql(model: Model, query: Pick<ListQuery, "sort">, lang: Language): string {
  const sort = query.sort.length > 0 ? query.sort : model.defaultSort;
  const terms = sort
    .filter((term) => term.field !== "id")
    .map((term) => {
      const field = model.fieldByName.get(term.field);
      return field ? `${field.kind.sortSql(columnSql(field.name), lang)} ${term.direction}` : "";
    });
  const byId = sort.find((term) => term.field === "id") ?? sort.at(-1);
  return `ORDER BY ${[...terms, `${ALIAS}.id ${byId?.direction ?? "asc"}`].join(", ")}`;
}

/** Parameters of a statement: `add` gives placeholders, `values` what they stand for. */
export function createParameters(): { add: AddParameter; values: unknown[] } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}
