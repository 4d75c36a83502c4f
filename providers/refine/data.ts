import type { CrudFilter, CrudOperators, CrudSort, DataProvider } from "@refinedev/core";
import * as z from "zod/mini";
import type { QueryFilter, QuerySort } from "#contract/content/models.ts";
import { staleWrite } from "#contract/content/objects.ts";
import { type Http, HttpError, type Parser, type RequestOptions } from "../http/http.ts";
import { type DataError, isDataError } from "./data-error.ts";
import type { Endpoint, Rows } from "./endpoint.ts";
import { ADMIN_API, requireEndpoint } from "./endpoints.ts";
import {
  buildListQuery,
  buildOwnQuery,
  getSignal,
  isAskedFor,
  type ListQuery,
  toListQuery,
  withQuery,
} from "./list-query.ts";
import { createRestRecords } from "./records.ts";

const versioned = z.object({ etag: z.optional(z.string()) });

/**
 * The ETag of the record that a `getOne`, `create` or `update` of this provider answered; undefined where it has none. Given
 * back as `meta.ifMatch` of an update, it lets a stale one fail with `stale` in its DataError.
 */
export function getEtag(answer: unknown): string | undefined {
  return versioned.safeParse(answer).data?.etag;
}

/** Turns the HTTP client's error into Refine's; everything else (an aborted call above all) passes as it is. */
function toDataError(error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  const errors: Record<string, string[]> = {};
  for (const { field, message } of error.errors) errors[field] = [...(errors[field] ?? []), message];
  const stale = staleWrite.safeParse(error.answer);
  return {
    ...(stale.success && { stale: stale.data }),
    message: error.message,
    statusCode: error.status,
    code: error.code,
    fieldErrors: error.errors,
    errors,
  } satisfies DataError;
}

/**
 * A documented filter as Refine carries it. Refine's list of operators has no `exact`, `iexact` and `isnull`; it only hands
 * filters on and compares them, so the documented names travel as they are.
 */
export function toCrudFilter({ field, operator, value }: QueryFilter): CrudFilter {
  return { field, operator: operator as Exclude<CrudOperators, "or" | "and">, value };
}

export function toCrudSort({ field, direction }: QuerySort): CrudSort {
  return { field, order: direction };
}

/** Address of what the deletion of one object would take along. */
export function toDependentsPath(resource: string, id: number): string {
  return `${ADMIN_API}/${resource}/${id}/dependents/`;
}

/**
 * Address of an export of the rows that a list query names. `columns`: names of fields in their order, none for all. Without a
 * choice it is where a body with one is sent.
 */
export function buildExportPath(
  resource: string,
  query: ListQuery,
  choice?: {
    format: string;
    columns?: readonly string[];
    keepsFormulas?: boolean;
    isForSpreadsheets?: boolean;
  },
): string {
  const params = buildListQuery(query);
  if (choice) params.set("format", choice.format);
  if (choice?.columns && choice.columns.length > 0) params.set("columns", choice.columns.join(","));
  if (choice?.keepsFormulas) params.set("formulas", "keep");
  if (choice?.isForSpreadsheets) params.set("use", "spreadsheets");
  return withQuery(`${ADMIN_API}/${resource}/export/`, params);
}

const NOTHING: Parser<undefined> = { parse: () => undefined };

/** The same calls, whose failures are Refine's. */
function withDataErrors(http: Pick<Http, "requestVersion">): Pick<Http, "request" | "requestVersion"> {
  const requestVersion: Http["requestVersion"] = async (path, options) => {
    try {
      return await http.requestVersion(path, options);
    } catch (error) {
      throw toDataError(error);
    }
  };
  async function request<T>(path: string, options: RequestOptions & { schema?: Parser<T> } = {}) {
    const { schema = NOTHING, ...rest } = options;
    return (await requestVersion<T | undefined>(path, { ...rest, schema })).answer;
  }
  // The overloads say what the implementation's one signature can't: with a schema T, without one nothing.
  return { requestVersion, request: request as Http["request"] };
}

/** The endpoint's query, whose refusal reads as a server's. */
function buildQuery(endpoint: Endpoint, query: ListQuery): URLSearchParams {
  if (!endpoint.query) return buildListQuery(query);
  try {
    return buildOwnQuery(query, endpoint.query);
  } catch (error) {
    throw toDataError(error);
  }
}

/** What else a back end without the list knows of its rows: one page of them, as far as the query's filters hold for them. */
async function fetchOtherRows(
  calls: Pick<Http, "request">,
  { fallback, query: own }: Endpoint,
  query: ListQuery,
  options: { signal?: AbortSignal },
): Promise<Rows | undefined> {
  if (!fallback) return undefined;
  const picked = await calls.request(fallback.path, { schema: { parse: fallback.pick }, ...options });
  const asked = own ? picked.filter((row) => isAskedFor(row, query, own)) : picked;
  // They need keys; negative ones are nobody's.
  const data = asked.map((row, at) => ({ ...row, id: -1 - at }));
  return { data, total: data.length, isEstimate: false, isFallback: true };
}

async function fetchRows(
  calls: Pick<Http, "request">,
  endpoint: Endpoint,
  query: ListQuery,
  options: { signal?: AbortSignal },
): Promise<Rows> {
  const path = withQuery(endpoint.list, buildQuery(endpoint, query));
  try {
    return await calls.request(path, { schema: { parse: endpoint.readList }, ...options });
  } catch (error) {
    const isMissing = isDataError(error) && error.statusCode === 404;
    const rows = isMissing ? await fetchOtherRows(calls, endpoint, query, options) : undefined;
    if (!rows) throw error;
    return rows;
  }
}

/**
 * Refine's data calls over the documented endpoints. Answers are read through the contract's schemas, so an answer that isn't
 * one fails here and not in a screen; rejects with DataError. What nobody waits for any more is aborted.
 *
 * Single records go through @refinedev/simple-rest. Lists don't: it writes another query than the documented one, and drops
 * the estimate and the cursor. Its `custom` loses the query of writes. Many rows are written by the bulk screen's own call: of
 * Refine's hooks for many rows none is used (refine-traps/not-used.test.ts).
 */
export function createDataProvider(http: Pick<Http, "requestVersion">): DataProvider {
  const calls = withDataErrors(http);

  return {
    getApiUrl: () => ADMIN_API,
    async getList(params) {
      const endpoint = requireEndpoint(params.resource);
      const rows = await fetchRows(calls, endpoint, toListQuery(params), getSignal(params.meta));
      // Generic over a record type that only its callers know; the schema has checked what is known here.
      return rows as never;
    },
    ...createRestRecords(calls),
    custom: createCustom(calls),
  };
}

const method = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const customHeaders = z.record(z.string(), z.string());

/**
 * Refine's `useCustom` and `useCustomMutation`: any documented address, with `query`, `filters` and `sorters` in it, headers
 * and a body. The answer is unknown: its caller reads it through a contract schema. Rejects as `http` does.
 */
function createCustom(http: Pick<Http, "request">): NonNullable<DataProvider["custom"]> {
  return async (call) => {
    const { url, payload, query, filters, sorters, headers, meta } = call;
    const params = buildListQuery(toListQuery({ filters, sorters, pagination: { mode: "off" } }));
    for (const [name, value] of Object.entries({ ...query })) {
      if (value !== undefined && value !== null) params.set(name, String(value));
    }
    const data = await http.request(withQuery(url, params), {
      method: method.parse(call.method.toUpperCase()),
      schema: { parse: (value: unknown) => value },
      ...(payload !== undefined && { body: payload }),
      ...(headers && { headers: customHeaders.parse(headers) }),
      ...getSignal(meta),
    });
    // Generic over a type that only the caller knows.
    return { data: data as never };
  };
}
