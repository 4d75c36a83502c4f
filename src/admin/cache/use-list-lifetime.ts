import { useSyncExternalStore } from "react";
import { useServices } from "../services.ts";
import { LIST_LIFETIME_MS } from "./freshness.ts";

/**
 * How long the rows of a topic count as fresh. Without a connection nobody tells of what is written: kept rows are shown, and
 * asked for again. Null: of rows that no topic tells of, which have the documented lifetime alone.
 */
export function useListLifetime(topic: string | null): number {
  const { socket } = useServices();
  const isConnected = useSyncExternalStore(socket.subscribe, () => socket.getStatus() === "connected");
  return topic === null || isConnected ? LIST_LIFETIME_MS : 0;
}
