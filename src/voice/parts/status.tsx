import { useCallback, useEffect, useState } from "react";
import type * as z from "zod/mini";
import type { LOBBY_SENDS } from "#contract/voice/rooms.ts";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";

/** A message for the person, once: the same text again is a new one. */
export interface Notice {
  kind: "status" | "alert";
  text: string;
}

/**
 * What is said without a place of its own. Both regions are always there, because screen readers announce what changes in a
 * region that they know. It goes after a while; what must stay has a place in the page.
 */
export function StatusLine({ notice, onGone }: { notice: Notice | undefined; onGone: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!notice || isHeld) return;
    const timer = setTimeout(onGone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, isHeld, onGone]);
  const text = (kind: Notice["kind"]) =>
    notice?.kind === kind && <p className={`voice-status voice-${kind}`}>{notice.text}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: reading takes as long as the pointer rests on it
    <div className="voice-notices" onMouseEnter={() => setIsHeld(true)} onMouseLeave={() => setIsHeld(false)}>
      <div role="status">{text("status")}</div>
      <div role="alert">{text("alert")}</div>
    </div>
  );
}

const SHOWN_MS = 6000;

export type Entered = z.infer<(typeof LOBBY_SENDS)["room_entered"]>;

/** For the lobby's word that somebody is in a room of the reader's, on whichever screen of voice they are. */
export function useNotifyEntered(notify: (notice: Notice) => void): (entered: Entered) => void {
  const { session } = useVoiceServices();
  const t = useVoiceText();
  return useCallback(
    async ({ room, display_name }) => {
      const { notifyEntered } = await import("./notify-entered.ts");
      const text = notifyEntered({ name: display_name, room: room.name }, session, t);
      if (text) notify({ kind: "status", text });
    },
    [session, t, notify],
  );
}
