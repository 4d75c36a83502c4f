import { useState } from "react";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import type { Call } from "../call/call.ts";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";
import type { Measure } from "./moderation-dialog.tsx";
import type { PersonActions } from "./person-menu.tsx";

interface Moderation {
  room: VoiceRoom;
  call: Call;
  tell: (notice: Notice) => void;
  /** Of what isn't done at once. */
  ask: (measure: Measure) => void;
}

/** What a person's menu does: for oneself (mute, block, report) and for all (specification and decisions: moderation is REST). */
export function useModeration({ room, call, tell, ask }: Moderation): PersonActions {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  // Muting for oneself changes no state of the call: the faces are drawn again.
  const [, drawAgain] = useState(0);

  async function run(request: Promise<void>): Promise<void> {
    try {
      await request;
    } catch (error) {
      const reason = toFailureText(error, t("voice:parts.error"), t);
      tell({ kind: "alert", text: t("voice:parts.didNotWork", { reason }) });
    }
  }

  async function unblock(userId: string): Promise<void> {
    await http.request(`/voice/blocks/${userId}`, { method: "DELETE" });
    call.setBlocked(userId, false);
    drawAgain((count) => count + 1);
  }

  return {
    muteForMe({ user_id }) {
      call.setMutedForMe(user_id, !call.sound.devices.mutedForMe.includes(user_id));
      drawAgain((count) => count + 1);
    },
    block: (person) => ask({ kind: "block", person }),
    unblock: ({ user_id }) => void run(unblock(user_id)),
    report: ({ user_id, display_name }) =>
      ask({ kind: "report", userId: user_id, name: display_name, message: undefined }),
    silence: ({ user_id, is_silenced }) =>
      void run(
        http.request(`/voice/rooms/${encodeURIComponent(room.slug)}/participants/${user_id}`, {
          method: "PUT",
          body: { is_muted: !is_silenced },
        }),
      ),
    remove: (person) => ask({ kind: "remove", person }),
    ban: (person) => ask({ kind: "ban", person }),
  };
}
