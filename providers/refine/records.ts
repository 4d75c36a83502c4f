import type { DataProvider } from "@refinedev/core";
import createRestProvider from "@refinedev/simple-rest";
import { requireEndpoint } from "../endpoints.ts";
import type { Http, RequestOptions } from "../http/http.ts";
import { getSignal } from "../refine-query.ts";
import type { Endpoint } from "./endpoint.ts";

type RestClient = NonNullable<Parameters<typeof createRestProvider>[1]>;
type RestProvider = ReturnType<typeof createRestProvider>;
type Meta = Record<string, unknown> | undefined;

/** What simple-rest hands to its client beside the address. */
interface RestConfig {
  headers?: Record<string, string>;
  data?: unknown;
}

interface CallOptions {
  read: (answer: unknown) => unknown;
  signal: AbortSignal | undefined;
  onVersion: (etag: string | undefined) => void;
}

/** A client in axios's shape for one call: simple-rest keeps nothing of an answer but its `data`, so the ETag goes past it. */
function createRestClient(http: Pick<Http, "requestVersion">, options: CallOptions): RestClient {
  const { read, signal, onVersion } = options;
  async function send(method: RequestOptions["method"], url: string, body: unknown, config?: RestConfig) {
    const { answer, etag } = await http.requestVersion(`${url}/`, {
      method: method ?? "GET",
      schema: { parse: read },
      ...(body !== undefined && { body }),
      ...(config?.headers && { headers: config.headers }),
      ...(signal && { signal }),
    });
    onVersion(etag);
    return { data: answer };
  }
  const client = {
    get: (url: string, config?: RestConfig) => send("GET", url, undefined, config),
    delete: (url: string, config?: RestConfig) => send("DELETE", url, config?.data, config),
    post: (url: string, body: unknown, config?: RestConfig) => send("POST", url, body, config),
    put: (url: string, body: unknown, config?: RestConfig) => send("PUT", url, body, config),
    patch: (url: string, body: unknown, config?: RestConfig) => send("PATCH", url, body, config),
  };
  // simple-rest calls these five and reads `data` alone, but names the whole of axios as their type.
  return client as unknown as RestClient;
}

/** simple-rest joins `/` + resource + `/` + id; http's paths end with a slash, which the client adds. */
const toRestName = ({ one }: Endpoint) => one.slice(1, -1);

/** Refine's methods are generic over variables that only their callers know. */
function toSent<Variables>({ toBody }: Endpoint, variables: Variables): Variables {
  return toBody ? (toBody(variables as Record<string, unknown>) as Variables) : variables;
}

function toHeaders(meta: Meta): Record<string, string> {
  return typeof meta?.ifMatch === "string" ? { "If-Match": meta.ifMatch } : {};
}

/**
 * Single records by @refinedev/simple-rest, over the console's own HTTP client. The `etag` of an answer stands beside its
 * `data`; `meta.ifMatch` guards an update or a deletion against a newer version. Rejects as `http` does.
 */
export function createRestRecords(
  http: Pick<Http, "requestVersion">,
): Pick<DataProvider, "getOne" | "create" | "update" | "deleteOne"> {
  async function run<A extends object>(
    meta: Meta,
    read: CallOptions["read"],
    call: (rest: RestProvider) => Promise<A>,
  ): Promise<A & { etag: string | undefined }> {
    let version: string | undefined;
    const { signal } = getSignal(meta);
    const onVersion = (etag: string | undefined) => {
      version = etag;
    };
    const answer = await call(createRestProvider("", createRestClient(http, { read, signal, onVersion })));
    return { ...answer, etag: version };
  }

  return {
    async getOne<T extends object>({ resource, id, meta }: Parameters<DataProvider["getOne"]>[0]) {
      const endpoint = requireEndpoint(resource);
      return run(meta, endpoint.readOne, (rest) =>
        rest.getOne<T>({ resource: toRestName(endpoint), id: encodeURIComponent(id) }),
      );
    },

    async create({ resource, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      return run(meta, endpoint.readOne, (rest) =>
        rest.create({ resource: toRestName(endpoint), variables }),
      );
    },

    async update({ resource, id, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      const options = { method: endpoint.updateMethod.toLowerCase(), headers: toHeaders(meta) };
      return run(meta, endpoint.readOne, (rest) =>
        rest.update({
          resource: toRestName(endpoint),
          id: encodeURIComponent(id),
          variables: toSent(endpoint, variables),
          // simple-rest reads the method here; Refine's type has GraphQL's words only.
          meta: options,
        }),
      );
    },

    async deleteOne({ resource, id, variables, meta }) {
      const endpoint = requireEndpoint(resource);
      // 204: there is no body to read, and the row is known by its id.
      const read = () => ({ id });
      return run(meta, read, (rest) =>
        rest.deleteOne({
          resource: toRestName(endpoint),
          id: encodeURIComponent(id),
          meta: { headers: toHeaders(meta) },
          ...(variables !== undefined && { variables }),
        }),
      );
    },
  };
}
