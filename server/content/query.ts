import { LIMITS } from "#contract/limits.ts";
import { FILTER_OPERATORS, type FilterOperator } from "#contract/models.ts";
import { AppError } from "#server/http/errors.ts";
import type { Field, Model, SortTerm } from "#server/models/model.ts";

/** One filter of the documented query, its field and operator known to exist. */
export interface Filter {
  field: Field;
  operator: FilterOperator;
  value: string;
}

/** The documented list query, checked against a model. Pages count from 1. */
export interface ListQuery {
  page: number;
  pageSize: number;
  search: string;
  filters: readonly Filter[];
  sort: readonly SortTerm[];
}

const INDEXED = /^(?:filters|sort)\[(\d{1,3})\]\[(field|operator|value|direction)\]$/;

function parsePositive(query: Record<string, unknown>, name: string, fallback: number, max: number): number {
  const text = query[name];
  if (text === undefined || text === "") return fallback;
  const value = typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new AppError("invalid_query", { vars: { parameter: name } });
  return value;
}

/** Collects `filters[0][field]=…` into one object per index, in the order of the indexes. */
function collect(
  query: Record<string, unknown>,
  group: "filters" | "sort",
  max: number,
): Record<string, string>[] {
  const byIndex = new Map<number, Record<string, string>>();
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith(group)) continue;
    const match = INDEXED.exec(name);
    // A mistyped name must not list, or export, everything.
    if (!match || typeof value !== "string")
      throw new AppError("invalid_query", { vars: { parameter: name } });
    const index = Number(match[1]);
    const entry = byIndex.get(index) ?? {};
    entry[match[2] ?? ""] = value;
    byIndex.set(index, entry);
  }
  if (byIndex.size > max) throw new AppError("invalid_query", { vars: { parameter: group } });
  return [...byIndex].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

function requireField(model: Model, name: string | undefined, parameter: "filters" | "sort"): Field {
  if (!name) throw new AppError("invalid_query", { vars: { parameter } });
  const field = model.fieldByName.get(name);
  if (!field) throw new AppError("unknown_field", { vars: { field: name } });
  return field;
}

function toFilter(model: Model, entry: Record<string, string>): Filter {
  const field = requireField(model, entry.field, "filters");
  const operator = FILTER_OPERATORS.find((known) => known === (entry.operator ?? "exact"));
  if (!operator || !field.kind.operators.includes(operator)) {
    throw new AppError("unknown_operator", { vars: { field: field.name, operator: entry.operator ?? "" } });
  }
  return { field, operator, value: entry.value ?? "" };
}

function toSortTerm(model: Model, entry: Record<string, string>): SortTerm {
  const direction = entry.direction ?? "asc";
  if (direction !== "asc" && direction !== "desc") {
    throw new AppError("invalid_query", { vars: { parameter: "sort" } });
  }
  if (entry.field === "id") return { field: "id", direction };
  const field = requireField(model, entry.field, "sort");
  if (!field.kind.isSortable) throw new AppError("unknown_field", { vars: { field: field.name } });
  return { field: field.name, direction };
}

/** Parses the query of a list. @throws AppError unknown_field, unknown_operator or invalid_query, each naming its cause. */
export function parseListQuery(model: Model, query: Record<string, unknown>): ListQuery {
  const search = query.search ?? "";
  if (typeof search !== "string" || search.length > LIMITS.searchMaxChars || search.includes("\0")) {
    throw new AppError("invalid_query", { vars: { parameter: "search" } });
  }
  return {
    page: parsePositive(query, "page", 1, 999_999_999),
    pageSize: parsePositive(query, "page_size", LIMITS.pageSizeDefault, LIMITS.pageSizeMax),
    search: search.trim(),
    filters: collect(query, "filters", LIMITS.filtersMax).map((entry) => toFilter(model, entry)),
    sort: collect(query, "sort", LIMITS.sortsMax).map((entry) => toSortTerm(model, entry)),
  };
}
