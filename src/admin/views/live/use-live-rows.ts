import { useContext, useEffect, useState } from "react";
import type { SocketStatus } from "#providers/socket-link.ts";
import { useLiveLists } from "../../cache/live-lists-context.ts";
import { ProvidersContext } from "../../providers-context.ts";
import { useServices } from "../../services.ts";

/** A join takes one way there and back; a list doesn't wait longer for it. */
const PATIENCE_MS = 120;

const isComing = (status: SocketStatus) => status === "connected" || status === "connecting";

/**
 * False while a list had better wait: rows that are asked for before their topic is joined have to be asked for again, since
 * nobody told of what was written in between. True at once without a connection and where the topic is still heard, and after a
 * moment in any case.
 */
export function useJoinFirst(topic: string | null): boolean {
  const { liveProvider } = useContext(ProvidersContext);
  const { socket } = useServices();
  const lists = useLiveLists();
  const [isOver, setOver] = useState(
    () => topic === null || lists.isHeard(topic) || !isComing(socket.getStatus()),
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
