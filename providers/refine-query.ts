import type { CrudFilter, CrudOperators, GetListParams } from "@refinedev/core";
import { FILTER_OPERATORS, type QueryFilter } from "#contract/content/models.ts";
import type { ListQuery } from "./refine/list-query.ts";

/** Refine's operators that the documented query has under another name. */
const OPERATORS: Partial<Record<CrudOperators, QueryFilter["operator"]>> = { eq: "exact", eqs: "exact" };

function toQueryFilter(filter: CrudFilter): QueryFilter {
  if (!("field" in filter)) throw new Error("The documented query has no nested filters; `meta.where` has");
  const value = Array.isArray(filter.value) ? filter.value.join(",") : String(filter.value ?? "");
  if (filter.operator === "null" || filter.operator === "nnull") {
    return { field: filter.field, operator: "isnull", value: String(filter.operator === "null") };
  }
  const operator = OPERATORS[filter.operator] ?? FILTER_OPERATORS.find((name) => name === filter.operator);
  if (!operator) throw new Error(`The documented query has no operator "${filter.operator}"`);
  return { field: filter.field, operator, value };
}

/** Refine's infinite lists hand on what `cursor.next` of the page before was in the place of the page's number. */
function toPlace(page: unknown, cursor: unknown): Pick<ListQuery, "page" | "cursor"> {
  if (typeof cursor === "string" && cursor !== "") return { cursor };
  if (typeof page === "string") return { cursor: page };
  return { page: typeof page === "number" ? page : 1 };
}

/** What Refine says of a list's query; `undefined` is absent. */
type QueryParams = {
  [Part in "pagination" | "filters" | "sorters" | "meta"]?: GetListParams[Part] | undefined;
};

/**
 * The documented query of a Refine list. What Refine has no word for stands in `meta`: `search`, `where` (conditions of any
 * depth), `cursor` (of the page before), `count: "exact"`.
 */
export function toListQuery({ pagination, filters, sorters, meta }: QueryParams): ListQuery {
  const isPaged = (pagination?.mode ?? "server") === "server";
  const search: unknown = meta?.search;
  return {
    ...(isPaged && {
      ...toPlace(pagination?.currentPage, meta?.cursor),
      pageSize: pagination?.pageSize ?? 20,
    }),
    ...(typeof search === "string" && { search }),
    ...(meta?.where !== undefined && { where: meta.where }),
    ...(meta?.count === "exact" && { isCountExact: true }),
    filters: (filters ?? []).map(toQueryFilter),
    sorts: (sorters ?? []).map(({ field, order }) => ({ field, direction: order })),
  };
}

/** Refine hands on TanStack's signal: who reads it has the call aborted as soon as nobody waits for its answer. */
export function getSignal(meta: Record<string, unknown> | undefined): { signal?: AbortSignal } {
  return meta?.signal instanceof AbortSignal ? { signal: meta.signal } : {};
}
