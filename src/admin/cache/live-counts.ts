import type { LiveEvent } from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { useContext, useEffect } from "react";
import * as z from "zod/mini";
import type { RecordSource } from "#resources/record-source.ts";
import { modelsResource } from "#resources/screens.ts";
import { ProvidersContext } from "../services.ts";

/** However much is written, counts on the screen are asked for at most so often. */
export const COUNTS_INTERVAL_MS = 5000;

const payload = z.object({ isMany: z.boolean() });

/** Brings what lists don't show of a model up to date when somebody writes to it. */
export interface LiveCounts {
  /** Takes the live provider's event for one resource. */
  note(resource: string, event: LiveEvent): void;
  close(): void;
}

/**
 * Rows may have come or gone; many writes at once come under one type. A topic that has only been joined (`*`) says nothing: else
 * each list that opens would ask for all models again.
 */
function changesCount({ type, payload: content }: LiveEvent): boolean {
  if (type === "*") return false;
  return type !== "updated" || payload.safeParse(content).data?.isMany !== false;
}

/**
 * Names and records that are cached go stale at once; whatever shows them now keeps them, as open forms must. Model information
 * is fetched anew when its counts may have changed, the first time at once.
 */
export function createLiveCounts(client: QueryClient): LiveCounts {
  const queryKey = ["data", "default", modelsResource.name];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  function refresh(): void {
    isDue = false;
    void client.invalidateQueries({ queryKey });
    resting = setTimeout(() => {
      resting = undefined;
      if (isDue) refresh();
    }, COUNTS_INTERVAL_MS);
  }

  return {
    note(resource, event) {
      for (const action of ["many", "one"])
        void client.invalidateQueries({
          queryKey: ["data", "default", resource, action],
          refetchType: "none",
        });
      if (!changesCount(event)) return;
      isDue = true;
      if (resting === undefined) refresh();
    },
    close: () => clearTimeout(resting),
  };
}

/** Keeps the counts of models on the screen up to date with what is written anywhere. Topics that were joined count once each. */
export function useLiveCounts(models: readonly RecordSource[]): void {
  const { liveProvider, queryClient } = useContext(ProvidersContext);
  // The models are new objects at each fetch; the topics are what matters, and no name holds a space.
  const topics = models.flatMap(({ topic }) => topic ?? []).join(" ");
  const resources = models.flatMap(({ topic, resource }) => (topic === null ? [] : resource)).join(" ");
  useEffect(() => {
    if (topics === "") return;
    const counts = createLiveCounts(queryClient);
    const names = resources.split(" ");
    const subscriptions: unknown[] = topics.split(" ").map((channel, index) =>
      liveProvider.subscribe({
        channel,
        types: ["*"],
        callback: (event) => counts.note(names[index] ?? "", event),
      }),
    );
    return () => {
      for (const subscription of subscriptions) liveProvider.unsubscribe(subscription);
      counts.close();
    };
  }, [liveProvider, queryClient, topics, resources]);
}
