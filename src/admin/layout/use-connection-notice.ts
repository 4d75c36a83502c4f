import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Socket } from "#providers/socket.ts";

/** A loss that is over by then is nobody's concern. */
const LOST_AFTER_MS = 2000;
/** A page that has just come waits longer: it may only be slow. */
const NEVER_HAD_AFTER_MS = 5000;

/** `back`: over again, after it had been told. */
export type NoticeState = "none" | "lost" | "back";

/** What there is to say about the connection that live events come by. */
export function useConnectionNotice(socket: Pick<Socket, "subscribe" | "getStatus">): NoticeState {
  const status = useSyncExternalStore(socket.subscribe, socket.getStatus);
  const [notice, setNotice] = useState<NoticeState>("none");
  const hasBeenConnected = useRef(false);

  useEffect(() => {
    if (status === "connected") hasBeenConnected.current = true;
    if (status !== "reconnecting") {
      setNotice((told) => (told === "lost" && status === "connected" ? "back" : "none"));
      return;
    }
    const delayMs = hasBeenConnected.current ? LOST_AFTER_MS : NEVER_HAD_AFTER_MS;
    const timer = setTimeout(() => setNotice("lost"), delayMs);
    return () => clearTimeout(timer);
  }, [status]);

  return notice;
}
