import type { BaseKey, BaseRecord, DataProvider } from "@refinedev/core";
import createRestProvider from "@refinedev/simple-rest";
import { type BulkAnswer, type BulkRequest, bulkAnswer } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { type Http, HttpError, type RequestOptions } from "../http/http.ts";
import type { Endpoint } from "./endpoint.ts";
import { requireEndpoint } from "./endpoints.ts";
import { getSignal } from "./list-query.ts";

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

type GetList = DataProvider["getList"];

/** Specification B section 5, where the server has no words of its own. */
const FAILED = { delete: "Delete failed", update: "Update failed" } as const;

function toChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

/** Rows by their ids: one list request for each 200 of them. In the order asked for, without those that aren't there. */
async function getMany(getList: GetList, resource: string, ids: readonly BaseKey[], meta: object) {
  const byId = new Map<string, BaseRecord>();
  for (const chunk of toChunks([...new Set(ids.map(String))], ADMIN_LIMITS.pageSizeMax)) {
    const { data } = await getList({
      resource,
      pagination: { currentPage: 1, pageSize: chunk.length },
      filters: [{ field: "id", operator: "in", value: chunk }],
      meta,
    });
    for (const row of data) byId.set(String(row.id), row);
  }
  return ids.flatMap((id) => byId.get(String(id)) ?? []);
}

/**
 * Many rows at once. Refine falls back to one request for each id where a provider has none of these: 500 parallel requests
 * for 500 rows. Rejects as `http` does, and with `toError`'s where nothing was affected.
 */
export function createManyRecords(
  http: Pick<Http, "request">,
  getList: GetList,
  toError: (error: HttpError) => unknown,
): Required<Pick<DataProvider, "getMany" | "createMany" | "updateMany" | "deleteMany">> {
  function write(part: Pick<BulkRequest, "operation" | "data">, path: string, ids: readonly BaseKey[]) {
    const body = { ...part, object_ids: ids.map(Number) };
    return http.request(path, { method: "POST", body, schema: bulkAnswer });
  }

  /** One request for each 5,000 rows, one after the other. Answers the rows that were written. */
  async function writeAll(
    part: Pick<BulkRequest, "operation" | "data">,
    resource: string,
    ids: readonly BaseKey[],
  ): Promise<{ id: BaseKey }[]> {
    const { bulk } = requireEndpoint(resource);
    if (!bulk) throw new Error(`"${resource}" has no endpoint for many rows at once`);
    const refused = new Set<number>();
    let affected = 0;
    let last: BulkAnswer | undefined;
    for (const chunk of toChunks(ids, ADMIN_LIMITS.bulkRowsMax)) {
      last = await write(part, bulk, chunk);
      affected += last.affected_count;
      for (const id of last.refusals.flatMap((refusal) => refusal.ids)) refused.add(id);
    }
    // Specification B section 5: nothing affected is a failure, with the server's words.
    if (last && affected === 0) {
      const message = last.message || FAILED[part.operation];
      throw toError(new HttpError(message, "nothing_affected", 409, [], { answer: last }));
    }
    return ids.filter((id) => !refused.has(Number(id))).map((id) => ({ id }));
  }

  // Refine's methods are generic over a record type that only their callers know.
  const trust = <T>(data: unknown) => data as T;

  return {
    async getMany({ resource, ids, meta }) {
      return { data: trust(await getMany(getList, resource, ids, meta ?? {})) };
    },
    /** No documented endpoint makes several rows. */
    async createMany({ resource }) {
      throw new Error(`"${resource}" has no endpoint that makes many rows at once`);
    },
    async updateMany({ resource, ids, variables }) {
      const data = trust<Record<string, unknown>>(variables);
      return { data: trust(await writeAll({ operation: "update", data }, resource, ids)) };
    },
    async deleteMany({ resource, ids }) {
      return { data: trust(await writeAll({ operation: "delete", data: {} }, resource, ids)) };
    },
  };
}
