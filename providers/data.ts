import type {
  CrudFilter,
  CrudOperators,
  CrudSort,
  DataProvider,
  HttpError as RefineHttpError,
} from "@refinedev/core";
import * as z from "zod/mini";
import type { FieldError } from "#contract/errors.ts";
import {
  FILTER_OPERATORS,
  type QueryFilter,
  type QuerySort,
  type StaleWrite,
  staleWrite,
} from "#contract/models.ts";
import { ADMIN_API, requireEndpoint } from "./endpoints.ts";
import { type Http, HttpError, type Versioned } from "./http.ts";
import { buildListQuery, type ListQuery } from "./list-query.ts";

/** A failed call as Refine knows it, with the documented code and field errors beside it. */
export interface DataError extends RefineHttpError {
  code: string;
  fieldErrors: FieldError[];
  /** What a refused stale write says of the object as it is now. */
  stale?: StaleWrite;
}

export function isDataError(error: unknown): error is DataError {
  return typeof error === "object" && error !== null && "statusCode" in error && "fieldErrors" in error;
}

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

/** Refine's operators that the documented query has under another name. */
const OPERATORS: Partial<Record<CrudOperators, QueryFilter["operator"]>> = { eq: "exact", eqs: "exact" };

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

function toQueryFilter(filter: CrudFilter): QueryFilter {
  if (!("field" in filter)) throw new Error("The documented query has no nested filters");
  const value = Array.isArray(filter.value) ? filter.value.join(",") : String(filter.value ?? "");
  if (filter.operator === "null" || filter.operator === "nnull") {
    return { field: filter.field, operator: "isnull", value: String(filter.operator === "null") };
  }
  const operator = OPERATORS[filter.operator] ?? FILTER_OPERATORS.find((name) => name === filter.operator);
  if (!operator) throw new Error(`The documented query has no operator "${filter.operator}"`);
  return { field: filter.field, operator, value };
}

function toListQuery(params: Parameters<DataProvider["getList"]>[0]): ListQuery {
  const { pagination, filters, sorters, meta } = params;
  const isPaged = (pagination?.mode ?? "server") === "server";
  const search: unknown = meta?.search;
  return {
    ...(isPaged && { page: pagination?.currentPage ?? 1, pageSize: pagination?.pageSize ?? 20 }),
    ...(typeof search === "string" && { search }),
    filters: (filters ?? []).map(toQueryFilter),
    sorts: (sorters ?? []).map(({ field, order }) => ({ field, direction: order })),
  };
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Address of what the deletion of one object would take along. */
export function toDependentsPath(resource: string, id: number): string {
  return `${ADMIN_API}/${resource}/${id}/dependents/`;
}

/** Address of an export of the rows that a list query names. */
export function buildExportPath(resource: string, query: ListQuery, format: "csv"): string {
  const params = buildListQuery(query);
  params.set("format", format);
  return withQuery(`${ADMIN_API}/${resource}/export/`, params);
}

/**
 * Refine's data calls over the documented endpoints. Answers are read through the contract's schemas, so an answer that isn't
 * one fails here and not in a screen; rejects with DataError. A list that nobody waits for any more is aborted.
 */
export function createDataProvider(http: Pick<Http, "requestVersion">): DataProvider {
  type Options<T> = Parameters<typeof http.requestVersion<T>>[1];

  async function callVersion<T>(path: string, options: Options<T>): Promise<Versioned<T>> {
    try {
      return await http.requestVersion(path, options);
    } catch (error) {
      throw toDataError(error);
    }
  }

  async function call<T>(path: string, options: Options<T>): Promise<T> {
    return (await callVersion(path, options)).answer;
  }

  /** Refine hands on what stands beside `data`: `getEtag` reads it there. */
  async function callRecord<T>(path: string, options: Omit<Options<unknown>, "schema">, resource: string) {
    const schema = { parse: requireEndpoint(resource).readOne };
    const { answer, etag } = await callVersion(path, { ...options, schema });
    return { data: trust<T>(answer), etag };
  }

  function getSignal(meta: Record<string, unknown> | undefined): { signal?: AbortSignal } {
    const signal = meta?.signal;
    return signal instanceof AbortSignal ? { signal } : {};
  }

  const one = (resource: string, id: number | string) =>
    `${requireEndpoint(resource).one}${encodeURIComponent(id)}/`;

  // Refine's methods are generic over a record type that only their callers know; the schema has checked what is known here.
  const trust = <T>(data: unknown) => data as T;

  return {
    getApiUrl: () => ADMIN_API,

    async getList(params) {
      const { list, readList } = requireEndpoint(params.resource);
      const path = withQuery(list, buildListQuery(toListQuery(params)));
      const rows = await call(path, { schema: { parse: readList }, ...getSignal(params.meta) });
      return trust(rows);
    },

    async getOne({ resource, id, meta }) {
      return callRecord(one(resource, id), getSignal(meta), resource);
    },

    async create({ resource, variables }) {
      return callRecord(requireEndpoint(resource).one, { method: "POST", body: variables }, resource);
    },

    async update({ resource, id, variables, meta }) {
      const { ifMatch } = meta ?? {};
      const headers = typeof ifMatch === "string" ? { "If-Match": ifMatch } : {};
      const { updateMethod: method } = requireEndpoint(resource);
      return callRecord(one(resource, id), { method, body: variables, headers }, resource);
    },

    async deleteOne({ resource, id }) {
      // 204: there is no body to read.
      await call(one(resource, id), { method: "DELETE", schema: { parse: () => undefined } });
      return { data: trust({ id }) };
    },

    async custom({ url, method, payload, headers }) {
      const options = {
        method: customMethod.parse(method.toUpperCase()),
        schema: { parse: (value: unknown) => value },
        ...(payload !== undefined && { body: payload }),
        ...(headers && { headers: headers as Record<string, string> }),
      };
      return { data: trust(await call(url, options)) };
    },
  };
}

const customMethod = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
