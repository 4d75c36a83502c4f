import * as z from "zod/mini";
import { storable } from "../values.ts";
import { VOICE_LIMITS } from "./rooms.ts";

const roomName = z
  .string()
  .check(z.trim(), z.minLength(VOICE_LIMITS.nameMinChars), z.maxLength(VOICE_LIMITS.nameMaxChars));
const roomDescription = z.string().check(z.trim(), z.maxLength(VOICE_LIMITS.descriptionMaxChars));
const roomSize = z.int().check(z.minimum(VOICE_LIMITS.seatsMin), z.maximum(VOICE_LIMITS.seatsMax));

/** POST /voice/rooms. `created_by` is accepted and not believed: the creator is who the token names. */
export const createRoomRequest = z.object({
  name: roomName,
  description: z._default(roomDescription, ""),
  max_participants: z._default(roomSize, VOICE_LIMITS.seatsDefault),
  is_public: z._default(z.boolean(), false),
  auto_mute_on_join: z._default(z.boolean(), false),
  created_by: z.optional(z.unknown()),
});

/** PUT /voice/rooms/{slug}: what is not named stays. `is_active: false` closes the room. */
export const changeRoomRequest = z.object({
  name: z.optional(roomName),
  description: z.optional(roomDescription),
  max_participants: z.optional(roomSize),
  is_public: z.optional(z.boolean()),
  auto_mute_on_join: z.optional(z.boolean()),
  is_active: z.optional(z.boolean()),
});
export type ChangeRoomRequest = z.infer<typeof changeRoomRequest>;

/** POST …/join and …/leave. Who it is says the token; another person's number is refused. */
export const seatRequest = z.object({
  user_id: z.optional(z.union([z.string(), z.number()])),
  display_name: z.optional(z.string()),
  /** Of …/leave: a seat that is not the person's any more ends nothing. */
  participant_id: z.optional(z.string()),
});

/** PUT …/participants/{userId}: by a moderator for all, until lifted. */
export const changeParticipantRequest = z.object({ is_muted: z.boolean() });

/** POST …/bans/. */
export const banRequest = z.object({ user_id: z.union([z.string(), z.number()]) });
/** POST …/reports/: to the admins. `message`: a line of the room's text that it is about. */
export const reportRequest = z.object({
  user_id: z.union([z.string(), z.number()]),
  reason: z.string().check(z.trim(), storable, z.minLength(1), z.maxLength(VOICE_LIMITS.reportMaxChars)),
  message: z.optional(z.string().check(storable, z.maxLength(VOICE_LIMITS.reportMaxChars))),
});
