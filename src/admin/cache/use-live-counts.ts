import { useContext, useEffect } from "react";
import type { RecordSource } from "#resources/record-source.ts";
import { ProvidersContext } from "../providers-context.ts";
import { createLiveCounts } from "./live-counts.ts";

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
