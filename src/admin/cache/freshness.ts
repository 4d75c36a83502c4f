import type { QueryClient, QueryKey } from "@tanstack/react-query";
import * as z from "zod/mini";
import { modelsResource } from "#resources/screens.ts";

/** Lifetimes of the admin data cache (specification B section 9). */
export const LIST_LIFETIME_MS = 120_000;
export const MODELS_LIFETIME_MS = 600_000;

/** What Refine's keys call lists, and names that were looked up for a list. */
const LISTS: readonly unknown[] = ["list", "infinite", "many"];

/** Whether a query holds something that the data provider fetched: the entries of the admin data cache. */
export function isAdminData(queryKey: QueryKey): boolean {
  return queryKey[0] === "data";
}

/** How long an answer counts as fresh. Refine's keys are `["data", provider, resource, action, …]`; single records never do. */
export function getLifetimeMs(queryKey: QueryKey): number {
  const [, , resource, action] = queryKey;
  if (!isAdminData(queryKey)) return 0;
  if (resource === modelsResource.name) return MODELS_LIFETIME_MS;
  return LISTS.includes(action) ? LIST_LIFETIME_MS : 0;
}

/** Refine's writes name a resource, or an address and the method to call it by. */
const refineWrite = z.union([z.object({ resource: z.string() }), z.object({ url: z.string() })]);

/**
 * A write of this page makes every cached list stale, not only those of what was written: rows show names of others, and what
 * is deleted takes others along. What is on the screen is refreshed by whoever shows it. @returns how to stop.
 */
export function markStaleAfterWrites(client: QueryClient): () => void {
  return client.getMutationCache().subscribe(({ type, mutation }) => {
    if (type !== "updated" || mutation.state.status !== "success") return;
    if (!refineWrite.safeParse(mutation.state.variables).success) return;
    void client.invalidateQueries({
      type: "inactive",
      refetchType: "none",
      predicate: ({ queryKey }) => isAdminData(queryKey) && queryKey[3] === "list",
    });
  });
}
