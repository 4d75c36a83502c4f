import { type ReactNode, useState } from "react";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import type { Call } from "../call/call.ts";
import type { Person } from "../call/room-state.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-services.ts";
import { useVoiceText } from "../voice-text.tsx";
import { ReportDialog } from "./lazy-parts.ts";
import type { PersonActions } from "./person-menu.tsx";

type Asking =
  | { kind: "block" | "remove" | "ban"; person: Person }
  | { kind: "report"; userId: string; name: string; message: string | undefined };

/** What a person's menu does: for oneself (mute, block, report) and for all (specification and decisions: moderation is REST). */
export function useModeration(room: VoiceRoom, call: Call, tell: (notice: Notice) => void) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const [asking, setAsking] = useState<Asking>();
  // Muting and blocking for oneself change no state of the call: the faces are drawn again.
  const [, drawAgain] = useState(0);
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;
  const close = () => setAsking(undefined);

  const tellFailure = (error: unknown) =>
    tell({
      kind: "alert",
      text: t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }),
    });

  async function setBlocked({ user_id }: Person, isBlocked: boolean): Promise<void> {
    await http.request(`/voice/blocks/${user_id}`, { method: isBlocked ? "PUT" : "DELETE" });
    call.setBlocked(user_id, isBlocked);
    drawAgain((count) => count + 1);
  }

  const actions: PersonActions = {
    muteForMe({ user_id }) {
      call.setMutedForMe(user_id, !call.sound.devices.mutedForMe.includes(user_id));
      drawAgain((count) => count + 1);
    },
    block: (person) => setAsking({ kind: "block", person }),
    unblock: (person) => void setBlocked(person, false).catch(tellFailure),
    report: ({ user_id, display_name }) =>
      setAsking({ kind: "report", userId: user_id, name: display_name, message: undefined }),
    silence: ({ user_id, is_silenced }) =>
      void http
        .request(`${path}/participants/${user_id}`, { method: "PUT", body: { is_muted: !is_silenced } })
        .catch(tellFailure),
    remove: (person) => setAsking({ kind: "remove", person }),
    ban: (person) => setAsking({ kind: "ban", person }),
  };

  function draw(question: Asking): ReactNode {
    if (question.kind === "report") {
      const { userId, name, message } = question;
      return (
        <ReportDialog
          name={name}
          message={message}
          onClose={close}
          send={async (reason) => {
            const body = { user_id: userId, reason, ...(message !== undefined && { message }) };
            await http.request(`${path}/reports/`, { method: "POST", body });
            close();
            tell({ kind: "status", text: t("call:person.reportSent") });
          }}
        />
      );
    }
    const { kind, person } = question;
    const name = person.display_name;
    const runs = {
      block: () => setBlocked(person, true),
      remove: () => http.request(`${path}/participants/${person.user_id}`, { method: "DELETE" }),
      ban: () => http.request(`${path}/bans/`, { method: "POST", body: { user_id: person.user_id } }),
    };
    return (
      <ConfirmDialog
        title={t(`call:person.${kind}Title`, { name })}
        text={t(`call:person.${kind}Text`)}
        action={t(`call:person.${kind}`)}
        busy={t(`call:person.${kind}`)}
        run={runs[kind]}
        onClose={close}
      />
    );
  }

  return {
    actions,
    dialog: asking && draw(asking),
    reportText: (userId: string, name: string, message: string) =>
      setAsking({ kind: "report", userId, name, message }),
  };
}
