import { useContext, useEffect, useRef } from "react";
import * as z from "zod/mini";
import type { RecordSource } from "#resources/record-source.ts";
import { ProvidersContext } from "../../services.ts";
import { historyKey } from "../history/use-history.ts";
import { createLiveRefresh, followOwnWrites } from "./live-refresh.ts";

/** What providers/refine/live.ts publishes of a write. */
const liveEvent = z.object({ ids: z.array(z.number()), isMany: z.boolean() });

/**
 * Fetches an open record again when it was written, in this browser or elsewhere; whoever draws its form compares versions. The
 * first event of a topic is that it is joined: the record has just been fetched.
 */
export function useLiveRecord(
  source: RecordSource,
  id: number | undefined,
  refetch: () => Promise<unknown>,
): void {
  const { liveProvider, queryClient } = useContext(ProvidersContext);
  const { resource, topic } = source;
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });

  useEffect(() => {
    if (topic === null || id === undefined) return;
    let isFirst = true;
    const refresh = createLiveRefresh({
      refresh: () =>
        Promise.all([
          latest.current(),
          queryClient.invalidateQueries({ queryKey: historyKey(resource, id) }),
        ]),
      isHeldBack: () => document.visibilityState === "hidden" || ownWrites.isWriting(),
    });
    const ownWrites = followOwnWrites(queryClient, resource, refresh.retry);
    document.addEventListener("visibilitychange", refresh.retry);
    const subscription: unknown = liveProvider.subscribe({
      channel: topic,
      types: ["*"],
      callback({ type, payload }) {
        const { ids, isMany } = liveEvent.safeParse(payload).data ?? { ids: [], isMany: true };
        const isKnown = type === "*" && isFirst;
        isFirst = false;
        if (!isKnown && (isMany || ids.includes(id))) refresh.notice();
      },
    });
    return () => {
      liveProvider.unsubscribe(subscription);
      document.removeEventListener("visibilitychange", refresh.retry);
      ownWrites.close();
      refresh.close();
    };
  }, [liveProvider, queryClient, resource, topic, id]);
}
