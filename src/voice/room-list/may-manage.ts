import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";

/** Whether somebody may edit, close and delete a room: its creator, and level 10. The server decides. */
export function mayManage(
  room: Pick<VoiceRoom, "created_by">,
  person: { id: string; level: number },
): boolean {
  return room.created_by === person.id || person.level >= ACCESS_LEVEL.admin;
}
