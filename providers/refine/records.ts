import type { DataProvider } from "@refinedev/core";
import createRestProvider from "@refinedev/simple-rest";
import type { Http, RequestOptions, Versioned } from "../http/http.ts";
import type { Endpoint } from "./endpoint.ts";
import { requireEndpoint } from "./endpoints.ts";
import { getSignal } from "./list-query.ts";

type RestClient = NonNullable<Parameters<typeof createRestProvider>[1]>;
type Meta = Record<string, unknown> | undefined;

/** What a call says to the client. It travels as `meta.headers`, which simple-rest hands on as they are. */
interface RestCall {
  read: (answer: unknown) => unknown;
  ifMatch?: string;
  signal?: AbortSignal;
}

interface RestConfig {
  headers: RestCall;
  data?: unknown;
}

/**
 * The record of an answer and its version: simple-rest gives back nothing of an answer but its `data`, so both stand there.
 * Refine's methods are generic over a record type that only their callers know; `never` fits each of them.
 */
type Answered = Pick<Versioned<never>, "answer" | "etag">;

/** The console's HTTP client in the shape that simple-rest calls. */
function toRestClient(http: Pick<Http, "requestVersion">): RestClient {
  async function send(
    method: RequestOptions["method"],
    url: string,
    { headers }: RestConfig,
    body?: unknown,
  ) {
    const { read, ifMatch, signal } = headers;
    const data = await http.requestVersion(`${url}/`, {
      method: method ?? "GET",
      schema: { parse: read },
      ...(body !== undefined && { body }),
      ...(ifMatch !== undefined && { headers: { "If-Match": ifMatch } }),
      ...(signal && { signal }),
    });
    return { data };
  }
  const client = {
    get: (url: string, config: RestConfig) => send("GET", url, config),
    delete: (url: string, config: RestConfig) => send("DELETE", url, config, config.data),
    post: (url: string, body: unknown, config: RestConfig) => send("POST", url, config, body),
    put: (url: string, body: unknown, config: RestConfig) => send("PUT", url, config, body),
    patch: (url: string, body: unknown, config: RestConfig) => send("PATCH", url, config, body),
  };
  // simple-rest calls these five and reads `data` alone, but names the whole of axios as their type.
  return client as unknown as RestClient;
}

/** simple-rest joins `/` + resource + `/` + id; http's paths end with a slash, which the client adds. */
const toRestName = ({ one }: Endpoint) => one.slice(1, -1);

/** The whole `meta` of a call to simple-rest: Refine's own may hold anything, such as a `method` that simple-rest obeys. */
function toRestMeta(read: RestCall["read"], meta: Meta, method?: Endpoint["updateMethod"]) {
  const ifMatch = typeof meta?.ifMatch === "string" ? { ifMatch: meta.ifMatch } : {};
  const headers: RestCall = { read, ...ifMatch, ...getSignal(meta) };
  // simple-rest reads the method here, in lower case; Refine's type has GraphQL's words only.
  return { headers, ...(method && { method: method.toLowerCase() }) };
}

/** Refine's methods are generic over variables that only their callers know. */
function toSent<Variables>({ toBody }: Endpoint, variables: Variables): Variables {
  return toBody ? (toBody(variables as Record<string, unknown>) as Variables) : variables;
}

const toVersioned = ({ data }: { data: Answered }) => ({ data: data.answer, etag: data.etag });

/**
 * Single records by @refinedev/simple-rest, over the console's own HTTP client. The `etag` of an answer stands beside its
 * `data`; `meta.ifMatch` guards an update or a deletion against a newer version. Rejects as `http` does.
 */
export function createRestRecords(
  http: Pick<Http, "requestVersion">,
): Pick<DataProvider, "getOne" | "create" | "update" | "deleteOne"> {
  const rest = createRestProvider("", toRestClient(http));

  return {
    async getOne({ resource, id, meta }) {
      const endpoint = requireEndpoint(resource);
      return toVersioned(
        await rest.getOne<Answered>({
          resource: toRestName(endpoint),
          id: encodeURIComponent(id),
          meta: toRestMeta(endpoint.readOne, meta),
        }),
      );
    },

    async create({ resource, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      return toVersioned(
        await rest.create<Answered, typeof variables>({
          resource: toRestName(endpoint),
          variables,
          meta: toRestMeta(endpoint.readOne, meta),
        }),
      );
    },

    async update({ resource, id, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      return toVersioned(
        await rest.update<Answered, typeof variables>({
          resource: toRestName(endpoint),
          id: encodeURIComponent(id),
          variables: toSent(endpoint, variables),
          meta: toRestMeta(endpoint.readOne, meta, endpoint.updateMethod),
        }),
      );
    },

    async deleteOne({ resource, id, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      return toVersioned(
        await rest.deleteOne<Answered, typeof variables>({
          resource: toRestName(endpoint),
          id: encodeURIComponent(id),
          // 204: there is no body to read, and the row is known by its id.
          meta: toRestMeta(() => ({ id }), meta),
          ...(variables !== undefined && { variables }),
        }),
      );
    },
  };
}
