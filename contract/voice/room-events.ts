import * as z from "zod/mini";
import { VOICE_CHANNEL_LIMITS } from "./room-channel.ts";

/** The join's payload. All of it is optional: a client of the documented protocol says who it is, and is not believed. */
export const joinPayload = z.object({
  /** Of `GET /voice/rooms/{slug}/token`. */
  ticket: z.optional(z.string()),
  is_muted: z.optional(z.boolean()),
  /** A `formerSeat`. */
  seat: z.optional(z.unknown()),
});

/**
 * Somebody who comes back behind a lost connection, or a restart of the server, keeps their seat. Read apart from the rest: a
 * seat that can't be understood is no reason to forget that somebody is muted.
 */
export const formerSeat = z.object({
  id: z.string().check(z.regex(/^[\w-]{16,64}$/)),
  join_number: z.int().check(z.minimum(0), z.maximum(2_000_000)),
});

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** An offer or answer as `RTCSessionDescriptionInit`, or its SDP alone. */
const toDescription = (type: "offer" | "answer") =>
  z.union([
    text(VOICE_CHANNEL_LIMITS.descriptionMaxChars),
    z.object({ type: z.literal(type), sdp: text(VOICE_CHANNEL_LIMITS.descriptionMaxChars) }),
  ]);

/** Counts the attempts to connect one pair: what belongs to an earlier one is dropped. */
const epoch = z.optional(z.int().check(z.minimum(0)));
const target = z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()]);
/** What a client says of itself is taken and not believed. */
const claimed = z.optional(z.unknown());
const sender = { from_user_id: claimed, from_display_name: claimed };

/** `{}` or more, or nothing at all. */
const anything = z.unknown();

/** Events that a browser sends, by name. */
export const ROOM_EVENTS = {
  join: anything,
  leave: anything,
  mute: anything,
  unmute: anything,
  ready: z.object({
    protocol_version: z.string(),
    devices: z.optional(z.unknown()),
    capabilities: z.optional(z.unknown()),
  }),
  speaking: z.object({ is_speaking: z.boolean() }),
  offer: z.object({ ...sender, target_user_id: target, offer: toDescription("offer"), epoch }),
  answer: z.object({ ...sender, target_user_id: target, answer: toDescription("answer"), epoch }),
  "ice-candidate": z.object({
    ...sender,
    /** Without it everybody else in the room gets it. */
    target_user_id: z.optional(target),
    /** A candidate line, or "" at the end of candidates. */
    candidate: z.string().check(z.maxLength(VOICE_CHANNEL_LIMITS.candidateMaxChars)),
    sdp_mid: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    sdp_mline_index: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(255)))),
    epoch,
  }),
  /** Whom this person can hear: all of them at once, and only when that changes. */
  hearing: z.object({
    user_ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100)),
  }),
  /**
   * A line to everybody. What turns the direction of writing could make a link read as another one. `key`: with the same one of the
   * same person it is the same line, sent again.
   */
  text: z.object({
    key: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
    text: z
      .string()
      .check(
        z.trim(),
        z.minLength(1),
        z.maxLength(VOICE_CHANNEL_LIMITS.textMaxChars),
        z.regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u),
      ),
  }),
} as const;
