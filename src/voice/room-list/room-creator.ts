import type { VoiceRoom } from "#contract/voice-rooms.ts";
import type { VoiceText } from "../voice-text.tsx";

/** Who made a room, as the list says it: one's own name, else that it was a user (specification B section 2). */
export function toCreatorName(
  room: Pick<VoiceRoom, "created_by">,
  person: { id: string; name: string; email: string },
  t: VoiceText,
): string {
  if (room.created_by === "unknown") return t("voice:rooms.unknownUser");
  return room.created_by === person.id ? person.name || person.email : t("voice:rooms.user");
}
