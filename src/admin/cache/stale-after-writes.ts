import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { isAdminData } from "./freshness.ts";

/** Refine's writes name a resource, or an address and the method to call it by. */
const refineWrite = z.union([z.object({ resource: z.string() }), z.object({ url: z.string() })]);

/**
 * A write of this page makes every kept list stale, not only those of what was written: rows show names of others, and what is
 * deleted takes others along. What is on the screen is refreshed by whoever shows it. @returns how to stop.
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
