import type { VoiceRoom } from "#contract/voice-rooms.ts";
import type { Call } from "../call/call.ts";
import type { Person } from "../call/room-state.ts";
import { ConfirmDialog } from "../parts/dialogs.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";
import { ReportDialog } from "./report-dialog.tsx";

/** What somebody is about to do about another person. */
export type Measure =
  | { kind: "block" | "remove" | "ban"; person: Person }
  | { kind: "report"; userId: string; name: string; message: string | undefined };

interface ModerationDialogProps {
  measure: Measure;
  room: VoiceRoom;
  call: Call;
  tell: (notice: Notice) => void;
  onClose: () => void;
}

/** Asks before a measure is taken, and takes it. It outlives the call: what was written into a report is not lost with it. */
export function ModerationDialog({ measure, room, call, tell, onClose }: ModerationDialogProps) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;

  if (measure.kind === "report") {
    const { userId, name, message } = measure;
    return (
      <ReportDialog
        name={name}
        message={message}
        onClose={onClose}
        send={async (reason) => {
          const body = { user_id: userId, reason, ...(message !== undefined && { message }) };
          await http.request(`${path}/reports/`, { method: "POST", body });
          onClose();
          tell({ kind: "status", text: t("call:person.reportSent") });
        }}
      />
    );
  }

  const { kind, person } = measure;
  const { user_id, display_name: name } = person;
  const runs = {
    async block() {
      await http.request(`/voice/blocks/${user_id}`, { method: "PUT" });
      call.setBlocked(user_id, true);
    },
    remove: () => http.request(`${path}/participants/${user_id}`, { method: "DELETE" }),
    ban: () => http.request(`${path}/bans/`, { method: "POST", body: { user_id } }),
  };
  return (
    <ConfirmDialog
      title={t(`call:person.${kind}Title`, { name })}
      text={t(`call:person.${kind}Text`)}
      action={t(`call:person.${kind}`)}
      busy={t(`call:person.${kind}`)}
      run={runs[kind]}
      onClose={onClose}
    />
  );
}
