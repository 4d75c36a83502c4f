import type { Query } from "@tanstack/react-query";
import { useContext, useEffect } from "react";

import type { RecordSource } from "#resources/record-source.ts";
import { createLiveCounts } from "../../cache/live-counts.ts";
import { ProvidersContext } from "../../providers-context.ts";
import { isRefusal } from "../../query-client.ts";
import { createLiveRefresh } from "./live-refresh.ts";
import { followOwnWrites } from "./own-writes.ts";

/** Rows that stay on the screen though they could not be fetched, and may be had later. */
const isLost = ({ state }: Query) =>
  state.status === "error" && state.data !== undefined && !isRefusal(state.error);

/**
 * Keeps a model's list up to date with what others write, in this browser or elsewhere. Lists alone are asked for again: an
 * open form keeps the record that it was opened with. (Refine's `liveMode` refetches both, follows the resource and the
 * callback of the first drawing only, and knows neither pace nor own writes.)
 *
 * `isRefused`: the list may not be read now. Its topic is joined again with the first answer that holds rows.
 */
export function useLiveRows(model: RecordSource, isRefused: boolean): void {
  const { liveProvider, queryClient } = useContext(ProvidersContext);
  const { resource, topic } = model;

  useEffect(() => {
    if (isRefused || topic === null) return;
    const queryKey = ["data", "default", resource, "list"];
    const shown = { queryKey, type: "active" } as const;
    const refresh = createLiveRefresh({
      refresh: () => queryClient.refetchQueries(shown),
      // A fetch under way is let through: the first one of a list could not be begun anew.
      isHeldBack: () =>
        document.visibilityState === "hidden" || ownWrites.isWriting() || queryClient.isFetching(shown) > 0,
    });
    const ownWrites = followOwnWrites(queryClient, resource, refresh.retry);
    const stopWatching = queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
      const isList = queryKey.every((part, at) => query.queryKey[at] === part);
      if (type !== "updated" || !isList || !("action" in event)) return;
      if (event.action.type === "fetch") return query.isActive() ? refresh.begin() : undefined;
      // Also of one that is no longer shown: what is shown instead may have waited for it.
      if (query.state.fetchStatus === "idle" && event.action.type !== "invalidate") {
        refresh.end(query.isActive() && isLost(query));
      }
    });
    document.addEventListener("visibilitychange", refresh.retry);
    const counts = createLiveCounts(queryClient);

    const subscription: unknown = liveProvider.subscribe({
      channel: topic,
      types: ["*"],
      callback(event) {
        // Pages of the list that aren't shown are fetched anew when they are.
        void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
        refresh.notice();
        counts.note(resource, event);
      },
    });
    return () => {
      liveProvider.unsubscribe(subscription);
      document.removeEventListener("visibilitychange", refresh.retry);
      stopWatching();
      ownWrites.close();
      counts.close();
      refresh.close();
    };
  }, [liveProvider, queryClient, resource, topic, isRefused]);
}
