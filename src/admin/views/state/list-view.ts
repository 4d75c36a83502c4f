import * as z from "zod/mini";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import {
  FILTER_OPERATORS,
  type FilterOperator,
  type QueryFilter,
  type QuerySort,
} from "#contract/content/models.ts";
import type { ListQuery } from "#providers/refine/list-query.ts";
import { ALL, type FieldNames, type RecordSource } from "#resources/record-source.ts";

/** Alternatives of which one at least has to hold: all the filters of it. */
export type FilterGroup = readonly (readonly QueryFilter[])[];

/** Everything that decides which rows a list shows. The URL's query is its only home. */
export interface ListView {
  search: string;
  /** All of them have to hold, and of each group one alternative. */
  filters: readonly QueryFilter[];
  groups: readonly FilterGroup[];
  sorts: readonly QuerySort[];
  page: number;
  pageSize: number;
  /** Fields that are shown, in order; none: the ones that the reader or the model has as default. */
  columns: readonly string[];
}

export const EMPTY_VIEW: ListView = {
  search: "",
  filters: [],
  groups: [],
  sorts: [],
  page: 1,
  pageSize: ADMIN_LIMITS.pageSizeDefault,
  columns: [],
};

/** Names of a view's parts in the address. */
export const LIST_PARAMS: ReadonlySet<string> = new Set([
  "search",
  "filter",
  "any",
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

const groupTexts = z.array(z.array(z.string()).check(z.minLength(1))).check(z.minLength(1));

/** `[["field:operator:value", …], …]` as JSON. A group that is only partly readable would find other rows: it is left out. */
function parseGroup(text: string): FilterGroup | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = groupTexts.safeParse(given);
  const group = data?.map((alternative) => alternative.flatMap((filter) => parseFilter(filter) ?? []));
  return group?.every((filters, at) => filters.length === data?.[at]?.length) ? group : undefined;
}

const toFilterText = ({ field, operator, value }: QueryFilter) => `${field}:${operator}:${value}`;

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

/** What a list shows where its address says nothing: the rows of a page, and filters. */
export type ListDefaults = Pick<RecordSource, "pageSize" | "defaultFilters">;

const isAll = (filter: QueryFilter) => filter.operator === "exact" && filter.value === ALL;

/** The filters of an address with the default ones of fields that it does not name; `ALL` names one, and filters nothing. */
function addDefaults(given: readonly QueryFilter[], defaults: readonly QueryFilter[]): QueryFilter[] {
  const named = new Set(given.map(({ field }) => field));
  const ruled = new Set(defaults.map(({ field }) => field));
  return [
    ...defaults.filter(({ field }) => !named.has(field)),
    ...given.filter((filter) => !(ruled.has(filter.field) && isAll(filter))),
  ];
}

const isSameSet = (some: readonly QueryFilter[], others: readonly QueryFilter[]) =>
  some.length === others.length && some.every((a) => others.some((b) => isSameFilter(a, b)));

/** What of a view's filters has to stand in the address: all that differs from the default ones. */
function leaveOutDefaults(
  filters: readonly QueryFilter[],
  defaults: readonly QueryFilter[],
): readonly QueryFilter[] {
  const of = (all: readonly QueryFilter[], name: string) => all.filter(({ field }) => field === name);
  const names = [...new Set(defaults.map(({ field }) => field))];
  const usual = names.filter((name) => isSameSet(of(filters, name), of(defaults, name)));
  const missing = names.filter((name) => of(filters, name).length === 0);
  return [
    ...filters.filter(({ field }) => !usual.includes(field)),
    ...missing.map((field) => ({ field, operator: "exact", value: ALL }) as const),
  ];
}

/** Reads a view from a query string; what makes no sense there is as if it were absent. */
export function parseListView(params: URLSearchParams, defaults: ListDefaults = {}): ListView {
  const { pageSize = EMPTY_VIEW.pageSize, defaultFilters = [] } = defaults;
  const given = params.getAll("filter").flatMap((text) => parseFilter(text) ?? []);
  return {
    search: params.get("search") ?? "",
    filters: addDefaults(given, defaultFilters),
    groups: params.getAll("any").flatMap((text) => {
      const group = parseGroup(text);
      return group ? [group] : [];
    }),
    sorts: params.getAll("sort").flatMap((text) => parseSort(text) ?? []),
    page: toPositive(params.get("page"), EMPTY_VIEW.page, 999_999_999),
    pageSize: toPositive(params.get("page_size"), pageSize, ADMIN_LIMITS.pageSizeMax),
    columns: parseColumns(params.get("columns")),
  };
}

/** The shortest query string that `parseListView`, given the same defaults, reads back as the same view. */
export function buildListViewParams(view: ListView, defaults: ListDefaults = {}): URLSearchParams {
  const { pageSize = EMPTY_VIEW.pageSize, defaultFilters = [] } = defaults;
  const params = new URLSearchParams();
  if (view.search !== "") params.set("search", view.search);
  for (const filter of leaveOutDefaults(view.filters, defaultFilters))
    params.append("filter", toFilterText(filter));
  for (const group of view.groups)
    params.append("any", JSON.stringify(group.map((filters) => filters.map(toFilterText))));
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

/** What decides which rows there are, in whatever order. */
export type RowScope = Pick<ListView, "search" | "filters" | "groups">;

/** Whether two views show the same rows, as text to compare. */
export function toScopeKey({ search, filters, groups }: RowScope): string {
  return JSON.stringify([search, filters, groups]);
}

/** Every row that there is, whatever the list shows by default. */
export const EVERY_ROW: RowScope = { search: "", filters: [], groups: [] };

/** What a list shows where nobody has searched or filtered: what a narrowed view is cleared to. */
export function toUsualScope({ defaultFilters = [] }: ListDefaults): RowScope {
  return { ...EVERY_ROW, filters: defaultFilters };
}

/** Whether a view has a search or filters of its own. */
export function isNarrowed(
  { search, filters, groups }: RowScope,
  { defaultFilters = [] }: ListDefaults,
): boolean {
  return search !== "" || groups.length > 0 || !isSameSet(filters, defaultFilters);
}

export function countFilters({ filters, groups }: Pick<ListView, "filters" | "groups">): number {
  return filters.length + groups.flat(2).length;
}

function joinConditions(conditions: readonly unknown[], name: "and" | "or"): unknown {
  return conditions.length === 1 ? conditions[0] : { [name]: conditions };
}

/** The groups as the query's `where`; undefined where there are none. */
export function toWhere(groups: readonly FilterGroup[]): unknown {
  if (groups.length === 0) return undefined;
  const all = groups.map((group) =>
    joinConditions(
      group.map((filters) => joinConditions(filters, "and")),
      "or",
    ),
  );
  return joinConditions(all, "and");
}

/** What the view asks of the server, without the page: exports take the same rows. */
export function toRowQuery({ search, filters, groups, sorts }: ListView): ListQuery {
  const where = toWhere(groups);
  return { search, filters, sorts, ...(where !== undefined && { where }) };
}
export const isSameFilter = (a: QueryFilter, b: QueryFilter) =>
  a.field === b.field && a.operator === b.operator && a.value === b.value;

const renameFilter = (filter: QueryFilter, names: FieldNames): QueryFilter => ({
  ...filter,
  field: names[filter.field] ?? filter.field,
});

export function renameGroup(group: FilterGroup, names: FieldNames): FilterGroup {
  return group.map((filters) => filters.map((filter) => renameFilter(filter, names)));
}

/** The same rows and columns in the names of another endpoint for them. */
export function renameFields(view: ListView, names: FieldNames): ListView {
  const toName = (name: string) => names[name] ?? name;
  return {
    ...view,
    filters: view.filters.map((filter) => renameFilter(filter, names)),
    groups: view.groups.map((group) => renameGroup(group, names)),
    sorts: view.sorts.map((sort) => ({ ...sort, field: toName(sort.field) })),
    columns: view.columns.map(toName),
  };
}
