import type { QueryFilter, QuerySort } from "#contract/content/models.ts";

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
