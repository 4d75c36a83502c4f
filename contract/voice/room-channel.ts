import * as z from "zod/mini";
import { iceServer, voiceRoom } from "./rooms.ts";

/** The topic of a room, by its id alone (specification B section 7). */
export const toRoomTopic = (roomId: string) => `voice:room:${roomId}`;

/** What `ready` must say (specification B section 9). */
export const VOICE_PROTOCOL = "1.0.0";

/** In the place of a person's number: whatever mixes the sound of a room with `engine: "mix"`. */
export const ENGINE_ID = "engine";

export const VOICE_CHANNEL_LIMITS = {
  /** Characters; a mesh's offer is below 4,000. */
  descriptionMaxChars: 16_384,
  candidateMaxChars: 1024,
  textMaxChars: 1000,
  /** Lines that a room remembers while somebody is in it. */
  textsKept: 50,
  /** Between two lines of one person. */
  textIntervalMs: 1000,
  /** What one person may send another: descriptions, and candidates with their ends. */
  descriptions: { burst: 8, perS: 1 },
  candidates: { burst: 120, perS: 20 },
  /** Changes of one person's microphone and speaking that others receive, in a second. */
  statesPerS: 4,
} as const;

/** Somebody in a room. Two readings of the documented set (a server may know one of the two mutes alone), and what a call needs. */
export const participant = z.object({
  /** Of this seat: another tab or a later visit has another one. */
  id: z.string(),
  user_id: z.string(),
  display_name: z.string(),
  avatar: z._default(z.nullable(z.string()), null),
  /** `ready` once the browser has said so. Whose own seat is `joining` in a snapshot of a mix connects to its engine anew. */
  status: z._default(z.enum(["joining", "ready"]), "ready"),
  devices: z._default(z.object({ microphone: z._default(z.boolean(), true) }), { microphone: true }),
  is_muted: z._default(z.boolean(), false),
  mute_state: z._default(z.enum(["muted", "unmuted"]), "unmuted"),
  is_speaking: z._default(z.boolean(), false),
  /** Muted by a moderator: receivers don't play them until it is lifted. */
  is_silenced: z._default(z.boolean(), false),
  /** Who came later offers. */
  join_number: z._default(z.number(), 0),
  /** Numbers of those whom they can hear; undefined: their browser doesn't say. */
  hears: z.optional(z.array(z.string())),
});

export type Participant = z.infer<typeof participant>;

/** What a good join answers. */
export const joinAnswer = z.object({
  participant_id: z.optional(z.string()),
  room: z.optional(voiceRoom),
  ice_servers: z._default(z.array(iceServer), []),
  /** ISO moment from which the credentials of a relay are refused; null: they don't end. */
  ice_expires_at: z._default(z.nullable(z.string()), null),
  /** Whether the person may mute, remove and ban others here. */
  can_moderate: z._default(z.boolean(), false),
});
export type JoinAnswer = z.infer<typeof joinAnswer>;

/** Counts the attempts to connect one pair: what belongs to an earlier one is dropped. */
const epoch = z.optional(z.number());

const from = {
  from_user_id: z.string(),
  from_display_name: z._default(z.string(), ""),
  /** The sender's seat: it says which of their tabs it was. */
  from_participant_id: z.optional(z.string()),
  epoch,
};

export const roomText = z.object({
  id: z.string(),
  user_id: z.string(),
  display_name: z.string(),
  text: z.string(),
  /** ISO moment. */
  sent_at: z.string(),
});
export type RoomText = z.infer<typeof roomText>;

/** The SDP of a description in either form; undefined where it has none. */
export function readSdp(description: unknown): string | undefined {
  const { sdp } = typeof description === "string" ? { sdp: description } : Object(description);
  return typeof sdp === "string" ? sdp : undefined;
}

/** Why the `error` event is sent to somebody. Behind all but `muted` the room is over for them. */
export const roomErrorCode = z.enum(["replaced", "removed", "banned", "muted", "room_closed"]);
export type RoomErrorCode = z.infer<typeof roomErrorCode>;

const seat = z.object({ id: z.string(), user_id: z.string() });

/** Events that the server sends, by name. */
export const ROOM_SENDS = {
  /**
   * Everybody in the room, the newcomer too. `is_partial`: the site's processes don't reach each other, so that people of other ones
   * may be missing. A whole one follows as soon as they do.
   */
  roster_snapshot: z.object({
    participants: z.array(participant),
    is_partial: z._default(z.boolean(), false),
  }),
  roster_update: z.object({
    added: z._default(z.array(participant), []),
    updated: z._default(z.array(participant), []),
    removed: z._default(z.array(seat), []),
  }),
  participant_joined: participant,
  participant_left: seat,
  participant_ready: z.object({ user_id: z.string() }),
  participant_muted: z.object({ user_id: z.string(), is_muted: z.boolean() }),
  participant_speaking: z.object({ user_id: z.string(), is_speaking: z.boolean() }),
  // As the sender's browser made it, in one of the two forms: `readSdp`.
  offer: z.object({ ...from, target_user_id: z.optional(z.string()), offer: z.unknown() }),
  answer: z.object({ ...from, target_user_id: z.optional(z.string()), answer: z.unknown() }),
  "ice-candidate": z.object({
    ...from,
    target_user_id: z.optional(z.string()),
    candidate: z.string(),
    sdp_mid: z.optional(z.nullable(z.string())),
    sdp_mline_index: z.optional(z.nullable(z.number())),
  }),
  participant_hearing: z.object({ user_id: z.string(), user_ids: z.array(z.string()) }),
  text: roomText,
  /** The person has muted or unmuted themselves by another way: `PUT …/participants/{userId}`. */
  own_mute: z.object({ is_muted: z.boolean() }),
  /** What was said before one came. */
  texts: z.object({ texts: z.array(roomText) }),
  /**
   * With whom this browser makes no link, because one of the two has blocked the other; neither learns which. Before the first
   * roster, and whenever it changes.
   */
  apart: z.object({ user_ids: z.array(z.string()) }),
  /** Name, size, who may see it. */
  room_updated: voiceRoom,
  /** The same as `presence_state`, by the name that the specification gives it. */
  presence_snapshot: z.unknown(),
  error: z.object({ code: roomErrorCode, message: z._default(z.string(), "") }),
} as const;

/**
 * Beside the documented `reason` of a refused join (specification B section 8): what exactly stands against it. `engine`: the
 * room is mixed, and what mixes it can't be reached.
 */
export const joinDetail = z.enum(["full", "banned", "closed", "ticket", "engine"]);
export type JoinDetail = z.infer<typeof joinDetail>;
