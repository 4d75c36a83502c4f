import type { BaseRecord, CrudFilter, CrudOperators, GetListParams } from "@refinedev/core";
import { toRangeStart } from "#contract/content/lists.ts";
import { FILTER_OPERATORS, type QueryFilter, type QuerySort } from "#contract/content/models.ts";
import { HttpError } from "../http/http.ts";

export interface ListQuery {
  page?: number;
  pageSize?: number;
  /** A `next_cursor`: the page behind it, whatever was written meanwhile. Goes without `page`. */
  cursor?: string;
  search?: string;
  filters?: readonly QueryFilter[];
  /** A group of conditions, or one (`contract/content/bulk.ts`); it travels as JSON. */
  where?: unknown;
  sorts?: readonly QuerySort[];
  /** The total is counted, however many rows there are. */
  isCountExact?: boolean;
}

/**
 * The documented query of lists and exports (specification B section 5): `page, page_size, search,
 * filters[i][field|operator|value], sort[i][field|direction]`, and Foyer's `cursor`, `where`, `count`. What is empty is left out.
 */
export function buildListQuery(query: ListQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (query.cursor) params.set("cursor", query.cursor);
  else if (query.page !== undefined) params.set("page", String(query.page));
  if (query.pageSize !== undefined) params.set("page_size", String(query.pageSize));
  if (query.search) params.set("search", query.search);
  for (const [index, filter] of (query.filters ?? []).entries()) {
    params.set(`filters[${index}][field]`, filter.field);
    params.set(`filters[${index}][operator]`, filter.operator);
    params.set(`filters[${index}][value]`, filter.value);
  }
  if (query.where !== undefined && query.where !== null) params.set("where", JSON.stringify(query.where));
  for (const [index, sort] of (query.sorts ?? []).entries()) {
    params.set(`sort[${index}][field]`, sort.field);
    params.set(`sort[${index}][direction]`, sort.direction);
  }
  if (query.isCountExact) params.set("count", "exact");
  return params;
}

export function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** How one filter of a list is called in an endpoint's own query. */
export interface OwnFilter {
  /** Of the query's parameter, such as `status`. */
  name: string;
  /** What its values are called there, such as `true` → `processed`; null: the parameter is left out. Others travel as they are. */
  values?: Readonly<Record<string, string | null>>;
  /** Sent where the list is not filtered by it; absent: the parameter is left out. */
  all?: string;
  /** Field with a moment: the value is a number of days up to today. */
  daysOf?: string;
  /** Whether a row of another answer is one that a value means; absent: its field holds it. */
  matches?: (row: BaseRecord, value: string) => boolean;
}

/** The query of an endpoint that names filters by itself, by the list's field. It has neither sorts nor groups. */
export interface OwnQuery {
  /** Parameter with words to look for, and the field where another answer's rows have them; absent: there is no search. */
  search?: { name: string; field: string };
  /** Parameter with the rows of a page. */
  pageSize: string;
  filters: Readonly<Record<string, OwnFilter>>;
}

/** The code of a list that was not asked for, because its endpoint has no parameters for what was asked. */
export const UNKNOWN_QUERY = "unknown_query";

/** As a server would refuse it: the list then offers to clear what its address asks for. */
function refuse(what: string): never {
  throw new HttpError(`This list can't be asked for ${what}`, UNKNOWN_QUERY, 400);
}

function requireKnown(query: ListQuery, { filters, search }: OwnQuery): readonly QueryFilter[] {
  const asked = query.filters ?? [];
  if (query.search && !search) refuse("a search");
  if (query.where !== undefined) refuse("groups of filters");
  for (const { field } of query.sorts ?? []) refuse(`an order by ${field}`);
  for (const { field, operator } of asked) {
    const isTwice = asked.filter((other) => other.field === field).length > 1;
    if (!filters[field] || operator !== "exact" || isTwice) refuse(`the filter "${field} ${operator}"`);
  }
  return asked;
}

/** The query in the endpoint's own words. @throws HttpError 400 for what it has no words for. */
export function buildOwnQuery(query: ListQuery, own: OwnQuery): URLSearchParams {
  const asked = requireKnown(query, own);
  const params = new URLSearchParams();
  for (const [field, { name, values = {}, all }] of Object.entries(own.filters)) {
    const filter = asked.find((each) => each.field === field);
    const { [filter?.value ?? ""]: called = filter?.value } = values;
    const value = filter ? called : all;
    if (value !== undefined && value !== null) params.set(name, value);
  }
  if (query.search && own.search) params.set(own.search.name, query.search);
  if (query.page !== undefined) params.set("page", String(query.page));
  if (query.pageSize !== undefined) params.set(own.pageSize, String(query.pageSize));
  return params;
}

/** Whether a row that some other answer holds is one that the query asks for. */
export function isAskedFor(
  row: BaseRecord,
  { filters = [], search = "" }: ListQuery,
  own: OwnQuery,
): boolean {
  const found = own.search ? String(row[own.search.field]) : "";
  if (!found.toLowerCase().includes(search.trim().toLowerCase())) return false;
  return filters.every(({ field, value }) => {
    const { daysOf, matches } = own.filters[field] ?? {};
    if (matches) return matches(row, value);
    if (daysOf === undefined) return String(row[field]) === value;
    const start = toRangeStart(value, Date.now());
    return start === undefined || Date.parse(String(row[daysOf])) >= Date.parse(start);
  });
}

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

/** Refine hands on TanStack's signal: a reader of it has the call aborted as soon as nobody waits for its answer. */
export function getSignal(meta: Record<string, unknown> | undefined): { signal?: AbortSignal } {
  return meta?.signal instanceof AbortSignal ? { signal: meta.signal } : {};
}
