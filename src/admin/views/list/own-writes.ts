import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { LivePayload } from "#providers/live.ts";

/** A write's event comes close to its answer; what comes later is somebody else's. */
const ECHO_MS = 3000;

const id = z.number();
const variables = z.object({ resource: z.string(), id: z.optional(id) });
const answer = z.object({ data: z.object({ id }) });

/** Writes of this page to one resource. Refine refreshes the lists behind each, so its own event needs no second time. */
export interface OwnWrites {
  isWriting(): boolean;
  /** Whether an event is the echo of a write of this page. Each write has one. */
  takeEcho(payload: LivePayload): boolean;
  close(): void;
}

/** `onSettled`: a write has ended, and the lists behind it are being fetched if it has succeeded. */
export function followOwnWrites(
  queryClient: QueryClient,
  resource: string,
  { now, onSettled }: { now: () => number; onSettled: () => void },
): OwnWrites {
  const mutations = queryClient.getMutationCache();
  /** When a write of an object was answered whose event is still to come. */
  const echoes = new Map<number, number>();
  /** Objects whose event came before the answer to the write that is under way. */
  const early = new Set<number>();
  const readVariables = (value: unknown) => {
    const read = variables.safeParse(value).data;
    return read?.resource === resource ? read : undefined;
  };

  const isWriting = () =>
    mutations
      .getAll()
      .some(({ state }) => state.status === "pending" && readVariables(state.variables) !== undefined);

  const stop = mutations.subscribe(({ type, mutation }) => {
    if (type !== "updated" || !mutation) return;
    const written = readVariables(mutation.state.variables);
    const { status } = mutation.state;
    if (!written || (status !== "success" && status !== "error")) return;
    const writtenId = written.id ?? answer.safeParse(mutation.state.data).data?.data.id;
    if (status === "success" && writtenId !== undefined && !early.has(writtenId))
      echoes.set(writtenId, now());
    if (!isWriting()) early.clear();
    onSettled();
  });

  return {
    isWriting,
    takeEcho({ ids, isMany }) {
      const [only] = ids;
      if (isMany || only === undefined || ids.length > 1) return false;
      if (isWriting()) {
        early.add(only);
        return false;
      }
      const writtenAt = echoes.get(only);
      echoes.delete(only);
      return writtenAt !== undefined && now() - writtenAt < ECHO_MS;
    },
    close: stop,
  };
}
