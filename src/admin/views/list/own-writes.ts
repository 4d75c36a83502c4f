import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";

const variables = z.object({ resource: z.string() });

/** Writes of this page to one resource. Refine refreshes the lists behind each. */
export interface OwnWrites {
  isWriting(): boolean;
  close(): void;
}

/**
 * `onSettled`: a write has ended, and the lists behind it are being fetched if it has succeeded. What was heard of until then
 * is in them. What is heard later counts: an event can't say that nobody else has written.
 */
export function followOwnWrites(
  queryClient: QueryClient,
  resource: string,
  onSettled: () => void,
): OwnWrites {
  const mutations = queryClient.getMutationCache();
  const isOurs = (value: unknown) => variables.safeParse(value).data?.resource === resource;
  const isWriting = () =>
    mutations.getAll().some(({ state }) => state.status === "pending" && isOurs(state.variables));

  const close = mutations.subscribe(({ type, mutation }) => {
    if (type !== "updated" || !mutation || !isOurs(mutation.state.variables)) return;
    const { status } = mutation.state;
    if (status === "success" || status === "error") onSettled();
  });
  return { isWriting, close };
}
