import type { QueryFilter, QuerySort } from "#contract/models.ts";

export interface ListQuery {
  page?: number;
  pageSize?: number;
  search?: string;
  filters?: readonly QueryFilter[];
  sorts?: readonly QuerySort[];
}

/**
 * The documented query of lists and exports (specification B section 5): `page, page_size, search,
 * filters[i][field|operator|value], sort[i][field|direction]`. What is empty is left out.
 */
export function buildListQuery(query: ListQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (query.page !== undefined) params.set("page", String(query.page));
  if (query.pageSize !== undefined) params.set("page_size", String(query.pageSize));
  if (query.search) params.set("search", query.search);
  for (const [index, filter] of (query.filters ?? []).entries()) {
    params.set(`filters[${index}][field]`, filter.field);
    params.set(`filters[${index}][operator]`, filter.operator);
    params.set(`filters[${index}][value]`, filter.value);
  }
  for (const [index, sort] of (query.sorts ?? []).entries()) {
    params.set(`sort[${index}][field]`, sort.field);
    params.set(`sort[${index}][direction]`, sort.direction);
  }
  return params;
}
