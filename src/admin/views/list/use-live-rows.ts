import { useContext, useEffect } from "react";
import type { ModelInfo } from "#contract/models.ts";
import type { LiveChange } from "#providers/live.ts";
import { objectsResource, objectsTopic } from "#resources/objects.ts";
import { ProvidersContext } from "../../providers-context.ts";
import { createLiveRefresh } from "./live-refresh.ts";
import { followOwnWrites } from "./own-writes.ts";

/**
 * Keeps a model's list up to date with what others write, in this browser or elsewhere. Lists alone are asked for again: an
 * open form keeps the record that it was opened with. (Refine's `liveMode` refetches both, follows the resource and the
 * callback of the first drawing only, and knows neither pace nor own writes.)
 */
export function useLiveRows(model: ModelInfo): void {
  const { liveProvider, queryClient } = useContext(ProvidersContext);
  const resource = objectsResource(model.content_type_id);
  const topic = objectsTopic(model);

  useEffect(() => {
    const queryKey = ["data", "default", resource, "list"];
    const refresh = createLiveRefresh({
      refresh: () => queryClient.refetchQueries({ queryKey, type: "active" }),
      isHeldBack: () => document.visibilityState === "hidden" || ownWrites.isWriting(),
    });
    const ownWrites = followOwnWrites(queryClient, resource, {
      now: () => performance.now(),
      onSettled: refresh.retry,
    });
    // A fetch that begins now has in it whatever was noticed before.
    const stopWatching = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "fetch") return;
      const isList = queryKey.every((part, at) => event.query.queryKey[at] === part);
      if (isList && event.query.isActive()) refresh.forget();
    });
    document.addEventListener("visibilitychange", refresh.retry);

    const subscription: unknown = liveProvider.subscribe({
      channel: topic,
      types: ["*"],
      callback(event) {
        // As providers/live.ts tells it; Refine's type leaves the payload open.
        const { payload } = event as unknown as LiveChange;
        if (payload.isCatchUp && payload.isFirst && queryClient.isFetching({ queryKey }) > 0) return;
        if (ownWrites.takeEcho(payload)) return;
        // Pages of the list that aren't shown are fetched anew when they are.
        void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
        refresh.notice();
      },
    });
    return () => {
      liveProvider.unsubscribe(subscription);
      document.removeEventListener("visibilitychange", refresh.retry);
      stopWatching();
      ownWrites.close();
      refresh.close();
    };
  }, [liveProvider, queryClient, resource, topic]);
}
