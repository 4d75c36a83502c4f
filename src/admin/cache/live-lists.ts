import type { LiveEvent, LiveProvider } from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { useServices } from "../services.ts";
import { LIST_LIFETIME_MS } from "./freshness.ts";

const payload = z.object({ isHeard: z.optional(z.boolean()) });

/** A topic that is listened to because lists of these resources are on the screen, or were a short while ago. */
interface Kept {
  subscription: unknown;
  resources: Set<string>;
  followers: Set<(event: LiveEvent) => void>;
  isHeard: boolean;
  ending?: ReturnType<typeof setTimeout>;
}

/**
 * Makes kept lists worth their lifetime: a topic is listened to for as long as rows of it may be fresh, so that a list that was
 * left is fresh when one comes back unless somebody has written.
 */
interface LiveLists {
  /** Whether the topic has been joined, and is heard since. */
  isHeard(topic: string): boolean;
  /**
   * Tells of each event, behind marking the resource's lists as stale. A topic that is heard already doesn't tell of its join
   * (`*`): nothing was missed. @returns how to leave.
   */
  follow(topic: string, resource: string, follower: (event: LiveEvent) => void): () => void;
  close(): void;
}

export function createLiveLists(client: QueryClient, live: LiveProvider): LiveLists {
  const topics = new Map<string, Kept>();

  function drop(topic: string, kept: Kept): void {
    clearTimeout(kept.ending);
    live.unsubscribe(kept.subscription);
    if (topics.get(topic) === kept) topics.delete(topic);
  }

  function onEvent(topic: string, kept: Kept, event: LiveEvent): void {
    for (const resource of kept.resources) {
      const queryKey = ["data", "default", resource, "list"];
      // What is on the screen is fetched by its followers, at their pace; the rest when it is shown again.
      void client.invalidateQueries({ queryKey, refetchType: "none" });
    }
    if (event.type === "*") kept.isHeard = payload.safeParse(event.payload).data?.isHeard === true;
    // Closed or refused: whoever comes next joins anew.
    if (event.type === "*" && !kept.isHeard) drop(topic, kept);
    for (const follower of [...kept.followers]) follower(event);
  }

  function listen(topic: string): Kept {
    const kept: Kept = {
      subscription: undefined,
      resources: new Set(),
      followers: new Set(),
      isHeard: false,
    };
    topics.set(topic, kept);
    kept.subscription = live.subscribe({
      channel: topic,
      types: ["*"],
      callback: (event) => onEvent(topic, kept, event),
    });
    return kept;
  }

  return {
    isHeard: (topic) => topics.get(topic)?.isHeard === true,
    follow(topic, resource, follower) {
      const kept = topics.get(topic) ?? listen(topic);
      clearTimeout(kept.ending);
      kept.resources.add(resource);
      kept.followers.add(follower);
      return () => {
        kept.followers.delete(follower);
        if (kept.followers.size > 0 || topics.get(topic) !== kept) return;
        kept.ending = setTimeout(() => drop(topic, kept), LIST_LIFETIME_MS);
      };
    },
    close() {
      for (const [topic, kept] of topics) drop(topic, kept);
    },
  };
}

/** Undefined outside of the console's frame. */
export const LiveListsContext = createContext<LiveLists | undefined>(undefined);

export function useLiveLists(): LiveLists {
  const lists = useContext(LiveListsContext);
  if (!lists) throw new Error("LiveListsContext is missing");
  return lists;
}

/**
 * How long the rows of a topic count as fresh. Without a connection nobody tells of what is written: kept rows are shown, and
 * asked for again. Null: of rows that no topic tells of, which have the documented lifetime alone.
 */
export function useListLifetime(topic: string | null): number {
  const { socket } = useServices();
  const isConnected = useSyncExternalStore(socket.subscribe, () => socket.getStatus() === "connected");
  return topic === null || isConnected ? LIST_LIFETIME_MS : 0;
}
