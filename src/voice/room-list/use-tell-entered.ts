import { useCallback } from "react";
import type * as z from "zod/mini";
import type { LOBBY_SENDS } from "#contract/voice-lobby.ts";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";

export type Entered = z.infer<(typeof LOBBY_SENDS)["room_entered"]>;

/** For the lobby's word that somebody is in a room of the reader's, on whichever screen of voice they are. */
export function useTellEntered(tell: (notice: Notice) => void): (entered: Entered) => void {
  const { session } = useVoiceServices();
  const t = useVoiceText();
  return useCallback(
    async ({ room, display_name }) => {
      const { tellEntered } = await import("../parts/notify-entered.ts");
      const text = tellEntered({ name: display_name, room: room.name }, session, t);
      if (text) tell({ kind: "status", text });
    },
    [session, t, tell],
  );
}
