import type { BaseKey, BaseRecord, DataProvider } from "@refinedev/core";
import { type BulkAnswer, type BulkRequest, bulkAnswer } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { requireEndpoint } from "./endpoints.ts";
import { type Http, HttpError } from "./http/http.ts";

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
    if (!bulk) throw new Error(`"${resource}" has no door for many rows at once`);
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
    /** No documented door makes several rows. */
    async createMany({ resource }) {
      throw new Error(`"${resource}" has no door that makes many rows at once`);
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
