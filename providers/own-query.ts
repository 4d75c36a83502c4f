import type { BaseRecord } from "@refinedev/core";
import type { QueryFilter } from "#contract/content/models.ts";
import { toRangeStart } from "#contract/date-range.ts";
import { HttpError } from "./http/http.ts";
import type { ListQuery } from "./refine/list-query.ts";

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
  isMet?: (row: BaseRecord, value: string) => boolean;
}

/** The query of an endpoint that names filters by itself, by the list's field. It has neither sorts nor groups. */
export interface OwnQuery {
  /** Parameter with words to look for, and the field where another answer's rows have them; absent: there is no search. */
  search?: { name: string; field: string };
  /** Parameter with the rows of a page. */
  pageSize: string;
  filters: Readonly<Record<string, OwnFilter>>;
}

/** The code of a list that was not asked for, because its endpoint has no words for what was wanted of it. */
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
    const { daysOf, isMet } = own.filters[field] ?? {};
    if (isMet) return isMet(row, value);
    if (daysOf === undefined) return String(row[field]) === value;
    const start = toRangeStart(value, Date.now());
    return start === undefined || Date.parse(String(row[daysOf])) >= Date.parse(start);
  });
}
