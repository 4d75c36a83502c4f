import type { VoiceRoom } from "#contract/voice-rooms.ts";
import type { RoomRow } from "./room-store.ts";

/** A room as everybody sees it. */
export function toVoiceRoom(row: RoomRow, participantCount: number): VoiceRoom {
  return {
    id: row.public_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    max_participants: row.max_participants,
    is_public: row.is_public,
    auto_mute_on_join: row.auto_mute_on_join,
    is_active: row.is_active,
    created_by: row.created_by_id === null ? "unknown" : String(row.created_by_id),
    participant_count: participantCount,
    inserted_at: row.created_at,
    updated_at: row.updated_at,
    engine: row.engine,
  };
}
