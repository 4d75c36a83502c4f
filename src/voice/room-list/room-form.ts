import { VOICE_LIMITS, type VoiceRoom } from "#contract/voice-rooms.ts";

/** What the form holds, as it is typed. */
export interface RoomValues {
  name: string;
  description: string;
  max_participants: number;
  is_public: boolean;
  auto_mute_on_join: boolean;
}

export const EMPTY_ROOM: RoomValues = {
  name: "",
  description: "",
  max_participants: VOICE_LIMITS.seatsDefault,
  is_public: false,
  auto_mute_on_join: false,
};

export function toRoomValues(room: VoiceRoom): RoomValues {
  const { name, description, max_participants, is_public, auto_mute_on_join } = room;
  return { name, description, max_participants, is_public, auto_mute_on_join };
}

/** As it is sent: trimmed. */
export function toRoomBody(values: RoomValues): RoomValues {
  return { ...values, name: values.name.trim(), description: values.description.trim() };
}

/** The sizes to choose from; a room that has another one keeps it. */
export function listSizes(current: number): number[] {
  return [...new Set([...VOICE_LIMITS.seatChoices, current])].sort((one, other) => one - other);
}
