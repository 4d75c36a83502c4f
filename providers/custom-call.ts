import type { DataProvider } from "@refinedev/core";
import * as z from "zod/mini";
import type { Http } from "./http/http.ts";
import { buildListQuery, withQuery } from "./refine/list-query.ts";
import { getSignal, toListQuery } from "./refine-query.ts";

const method = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const customHeaders = z.record(z.string(), z.string());

/**
 * Refine's `useCustom` and `useCustomMutation`: any documented address, with `query`, `filters` and `sorters` in it, headers
 * and a body. The answer is unknown: its caller reads it through a contract schema. Rejects as `http` does.
 */
export function createCustom(http: Pick<Http, "request">): NonNullable<DataProvider["custom"]> {
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
