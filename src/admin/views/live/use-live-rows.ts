import type { Query } from "@tanstack/react-query";
import { useContext, useEffect, useState } from "react";
import { isRefusal } from "#providers/refine/data-error.ts";
import type { SocketStatus } from "#providers/socket/link.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { createLiveCounts } from "../../cache/live-counts.ts";
import { useLiveLists } from "../../cache/live-lists.ts";
import { ProvidersContext, useServices } from "../../services.ts";
import { createLiveRefresh, followOwnWrites } from "./live-refresh.ts";

/** A join takes one way there and back; a list doesn't wait longer for it. */
const PATIENCE_MS = 120;

const isComing = (status: SocketStatus) => status === "connected" || status === "connecting";

/**
 * False while a list had better wait: rows that are asked for before their topic is joined have to be asked for again, since
 * what was written in between was published to nobody. True at once without a connection and where the topic is still joined,
 * and after a moment in any case.
 */
export function useJoinFirst(topic: string | null): boolean {
  const { liveProvider } = useContext(ProvidersContext);
  const { socket } = useServices();
  const lists = useLiveLists();
  const [isOver, setOver] = useState(
    () => topic === null || lists.isJoined(topic) || !isComing(socket.getStatus()),
  );
  useEffect(() => {
    if (isOver || topic === null) return;
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    const subscription: unknown = liveProvider.subscribe({
      channel: topic,
      types: ["*"],
      callback: () => setOver(true),
    });
    return () => {
      clearTimeout(timer);
      liveProvider.unsubscribe(subscription);
    };
  }, [isOver, topic, liveProvider]);
  return isOver;
}

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
export function useLiveRows(source: RecordSource, isRefused: boolean): void {
  const { queryClient } = useContext(ProvidersContext);
  const lists = useLiveLists();
  const { resource, topic } = source;

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

    // Rows that aren't shown are stale by then, and fetched anew when they are.
    const leave = lists.follow(topic, resource, (event) => {
      refresh.notice();
      counts.note(resource, event);
    });
    return () => {
      leave();
      document.removeEventListener("visibilitychange", refresh.retry);
      stopWatching();
      ownWrites.close();
      counts.close();
      refresh.close();
    };
  }, [lists, queryClient, resource, topic, isRefused]);
}
