import * as z from "zod/mini";
import { voiceRoom } from "./voice/rooms.ts";

/** Changes of the room list. */
export const LOBBY_TOPIC = "voice:lobby";

/** The payload of a join. `room_id`: of the room before whose door the member stands, who had its link. */
export const lobbyJoin = z.object({ room_id: z.optional(z.string()) });
/** What a join with a `room_id` is answered: the room as it is now; null: it is gone. */
export const lobbyAnswer = z.object({ room: z.optional(z.nullable(voiceRoom)) });

/** Events of `voice:lobby`. A member hears of the rooms that their list holds, and of the one that they have named. */
export const LOBBY_SENDS = {
  room_changed: voiceRoom,
  room_removed: z.object({ id: z.string() }),
  /** More has changed than can be told: the list is to be read again. */
  rooms_changed: z.object({}),
  /** Somebody has come into a room of the reader's, who asked to be told. */
  room_entered: z.object({ room: voiceRoom, display_name: z.string() }),
} as const;
