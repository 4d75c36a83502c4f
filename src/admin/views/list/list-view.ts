import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { QueryFilter, QuerySort } from "#contract/models.ts";
import { FILTER_OPERATORS, type FilterOperator } from "#contract/models.ts";
import type { ListQuery } from "#providers/list-query.ts";

/** Everything that decides which rows a list shows. The URL's query is its only home. */
export interface ListView {
  search: string;
  filters: readonly QueryFilter[];
  sorts: readonly QuerySort[];
  page: number;
  pageSize: number;
  /** Fields that are shown, in order; none: the ones that the reader or the model has as default. */
  columns: readonly string[];
}

export const EMPTY_VIEW: ListView = {
  search: "",
  filters: [],
  sorts: [],
  page: 1,
  pageSize: ADMIN_LIMITS.pageSizeDefault,
  columns: [],
};

/** Names of a view's parts in the address. */
export const LIST_PARAMS: ReadonlySet<string> = new Set([
  "search",
  "filter",
  "sort",
  "page",
  "page_size",
  "columns",
]);

function toPositive(text: string | null, fallback: number, max: number): number {
  if (text === null || !/^\d{1,9}$/.test(text)) return fallback;
  return Math.min(Math.max(Number(text), 1), max);
}

function isOperator(text: string | undefined): text is FilterOperator {
  return FILTER_OPERATORS.some((operator) => operator === text);
}

/** `field:operator:value`; the value is all that follows, whatever it holds. */
function parseFilter(text: string): QueryFilter | undefined {
  const [field, operator, ...rest] = text.split(":");
  if (!field || !isOperator(operator)) return undefined;
  return { field, operator, value: rest.join(":") };
}

/** `field` ascends, `-field` descends. */
function parseSort(text: string): QuerySort | undefined {
  const field = text.replace(/^-/, "");
  if (field === "") return undefined;
  return { field, direction: text.startsWith("-") ? "desc" : "asc" };
}

/** Names of fields hold no commas; the same one twice is one column. */
function parseColumns(text: string | null): string[] {
  return [...new Set((text ?? "").split(",").filter((name) => name !== ""))];
}

/**
 * Reads a view from a query string; what makes no sense there is as if it were absent. `pageSize`: rows of a page of this
 * list when the address names no number.
 */
export function parseListView(params: URLSearchParams, pageSize = EMPTY_VIEW.pageSize): ListView {
  return {
    search: params.get("search") ?? "",
    filters: params.getAll("filter").flatMap((text) => parseFilter(text) ?? []),
    sorts: params.getAll("sort").flatMap((text) => parseSort(text) ?? []),
    page: toPositive(params.get("page"), EMPTY_VIEW.page, 999_999_999),
    pageSize: toPositive(params.get("page_size"), pageSize, ADMIN_LIMITS.pageSizeMax),
    columns: parseColumns(params.get("columns")),
  };
}

/** The shortest query string that `parseListView`, given the same `pageSize`, reads back as the same view. */
export function buildListViewParams(view: ListView, pageSize = EMPTY_VIEW.pageSize): URLSearchParams {
  const params = new URLSearchParams();
  if (view.search !== "") params.set("search", view.search);
  for (const { field, operator, value } of view.filters)
    params.append("filter", `${field}:${operator}:${value}`);
  for (const { field, direction } of view.sorts)
    params.append("sort", direction === "desc" ? `-${field}` : field);
  if (view.page !== EMPTY_VIEW.page) params.set("page", String(view.page));
  if (view.pageSize !== pageSize) params.set("page_size", String(view.pageSize));
  if (view.columns.length > 0) params.set("columns", view.columns.join(","));
  return params;
}

/** Parts of a view that change neither which rows there are nor their order. */
const KEEPS_ROWS: readonly string[] = ["page", "columns"] satisfies readonly (keyof ListView)[];

/** A changed view. Whatever changes which rows there are leads back to the first page. */
export function changeListView(view: ListView, change: Partial<ListView>): ListView {
  const keepsRows = Object.keys(change).every((key) => KEEPS_ROWS.includes(key));
  return { ...view, ...(keepsRows ? {} : { page: 1 }), ...change };
}

/** What the view asks of the server, without the page: exports take the same rows. */
export function toRowQuery(view: ListView): ListQuery {
  return { search: view.search, filters: view.filters, sorts: view.sorts };
}
