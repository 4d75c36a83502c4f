import { type VoiceRoom, voiceRoom } from "#contract/voice/rooms.ts";

export function toRoom(more: Partial<VoiceRoom> = {}): VoiceRoom {
  const room = { id: "r1", slug: "tea", name: "Tea", max_participants: 10, is_active: true, created_by: "7" };
  return voiceRoom.parse({ ...room, ...more });
}
