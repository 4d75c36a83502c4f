import type { LiveEvent, LiveProvider } from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { useServices } from "../services.ts";
import { LIST_LIFETIME_MS } from "./freshness.ts";

const payload = z.object({ isJoined: z.optional(z.boolean()) });

/** A topic that is listened to because lists of these resources are on the screen, or were a short while ago. */
interface Subscribed {
  subscription: unknown;
  resources: Set<string>;
  followers: Set<(event: LiveEvent) => void>;
  isJoined: boolean;
  ending?: ReturnType<typeof setTimeout>;
}

/**
 * Makes cached lists worth their lifetime: a topic is listened to for as long as rows of it may be fresh, so that a list that
 * was left is fresh when one comes back unless somebody has written.
 */
interface LiveLists {
  /** Whether the topic has been joined, and its events arrive since. */
  isJoined(topic: string): boolean;
  /**
   * Publishes each event, behind marking the resource's lists as stale. A topic that is joined already doesn't publish its join
   * (`*`): nothing was missed. @returns how to leave.
   */
  follow(topic: string, resource: string, follower: (event: LiveEvent) => void): () => void;
  close(): void;
}

export function createLiveLists(client: QueryClient, live: LiveProvider): LiveLists {
  const topics = new Map<string, Subscribed>();

  function drop(topic: string, subscribed: Subscribed): void {
    clearTimeout(subscribed.ending);
    live.unsubscribe(subscribed.subscription);
    if (topics.get(topic) === subscribed) topics.delete(topic);
  }

  function onEvent(topic: string, subscribed: Subscribed, event: LiveEvent): void {
    for (const resource of subscribed.resources) {
      const queryKey = ["data", "default", resource, "list"];
      // What is on the screen is fetched by its followers, at their pace; the rest when it is shown again.
      void client.invalidateQueries({ queryKey, refetchType: "none" });
    }
    if (event.type === "*") subscribed.isJoined = payload.safeParse(event.payload).data?.isJoined === true;
    // Closed or refused: whoever comes next joins anew.
    if (event.type === "*" && !subscribed.isJoined) drop(topic, subscribed);
    for (const follower of [...subscribed.followers]) follower(event);
  }

  function listen(topic: string): Subscribed {
    const subscribed: Subscribed = {
      subscription: undefined,
      resources: new Set(),
      followers: new Set(),
      isJoined: false,
    };
    topics.set(topic, subscribed);
    subscribed.subscription = live.subscribe({
      channel: topic,
      types: ["*"],
      callback: (event) => onEvent(topic, subscribed, event),
    });
    return subscribed;
  }

  return {
    isJoined: (topic) => topics.get(topic)?.isJoined === true,
    follow(topic, resource, follower) {
      const subscribed = topics.get(topic) ?? listen(topic);
      clearTimeout(subscribed.ending);
      subscribed.resources.add(resource);
      subscribed.followers.add(follower);
      return () => {
        subscribed.followers.delete(follower);
        if (subscribed.followers.size > 0 || topics.get(topic) !== subscribed) return;
        subscribed.ending = setTimeout(() => drop(topic, subscribed), LIST_LIFETIME_MS);
      };
    },
    close() {
      for (const [topic, subscribed] of topics) drop(topic, subscribed);
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
 * How long the rows of a topic count as fresh. Without a connection no write is published: cached rows are shown, and asked for
 * again. Null: of rows that no topic publishes, which have the documented lifetime alone.
 */
export function useListLifetime(topic: string | null): number {
  const { socket } = useServices();
  const isConnected = useSyncExternalStore(socket.subscribe, () => socket.getStatus() === "connected");
  return topic === null || isConnected ? LIST_LIFETIME_MS : 0;
}
