import * as z from "zod/mini";

/** Limits of voice rooms (specification B sections 5 and 9); what is not there is Foyer's. */
export const VOICE_LIMITS = {
  nameMinChars: 3,
  nameMaxChars: 100,
  descriptionMaxChars: 500,
  seatsMin: 2,
  seatsMax: 100,
  seatsDefault: 10,
  /** The sizes that the form offers. */
  seatChoices: [2, 5, 10, 20, 50, 100],
  /** Larger rooms need an engine that mixes: in a mesh every browser sends its sound to each of the others. */
  meshSeatsMax: 12,
  /** Rooms that a person below level 10 makes in a day (UTC). */
  roomsPerDay: 5,
  /** Reports that a person sends in a day (UTC). */
  reportsPerDay: 20,
  /** How long a seat is kept for somebody whose connection is gone, or who has only announced themselves. */
  seatKeptS: 20,
  /** How long a ticket of `GET /voice/rooms/{slug}/token` is good. */
  ticketS: 600,
  reportMaxChars: 1000,
} as const;

/** Who talks to whom: each browser with each other one, or all of them with a mixer on the server. */
export const roomEngine = z.enum(["mesh", "mix"]);
export type RoomEngine = z.infer<typeof roomEngine>;

const room = {
  /** Random, so that nobody can count through private rooms. The topic is `voice:room:{id}`. */
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z._default(z.string(), ""),
  max_participants: z.number(),
  is_public: z._default(z.boolean(), false),
  auto_mute_on_join: z._default(z.boolean(), false),
  /** False: closed by its creator or an admin. */
  is_active: z.boolean(),
  /** The creator's number as text, `unknown` when their account is gone. */
  created_by: z._default(z.string(), "unknown"),
  participant_count: z._default(z.number(), 0),
  /** ISO moments. */
  inserted_at: z._default(z.string(), ""),
  updated_at: z._default(z.string(), ""),
  /** Another back end may not say: then it is a mesh. */
  engine: z._default(roomEngine, "mesh"),
};

/** A room as everybody sees it (specification B section 3, both readings). */
export const voiceRoom = z.object(room);
export type VoiceRoom = z.infer<typeof voiceRoom>;

/** The largest room that can be made here; another back end may not say. */
const maxSeats = { max_seats: z.optional(z.number()) };

/** GET /voice/rooms/{slug}. */
export const voiceRoomAnswer = z.object({ ...room, ...maxSeats });

/** GET /voice/rooms: newest first. */
export const voiceRoomsAnswer = z.object({ data: z.array(voiceRoom), ...maxSeats });
export type VoiceRoomsAnswer = z.infer<typeof voiceRoomsAnswer>;

/** POST /voice/rooms answers 201 with both readings of the names. */
export const voiceRoomCreated = z.object({
  ...room,
  room_id: z.string(),
  room_name: z.string(),
  room_slug: z.string(),
});

/** As `RTCIceServer` has it. */
export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});
export type IceServer = z.infer<typeof iceServer>;

/** POST …/join: a seat is reserved until `expires_at`; the channel takes it. */
export const seatAnswer = z.object({ room: voiceRoom, expires_at: z.string() });

/** GET …/token. The ticket names room and person and goes into the join's payload; it is no access token. */
export const roomTicket = z.object({
  room_name: z.string(),
  token: z.string(),
  ice_servers: z.array(iceServer),
  /** ISO moment. */
  expires_at: z.string(),
});

/** Changes of the room list. */
export const LOBBY_TOPIC = "voice:lobby";

/** The payload of a join. `room_id`: of the room that the member looks at from outside, having had its link. */
export const lobbyJoin = z.object({ room_id: z.optional(z.string()) });
/** What a join with a `room_id` is answered: the room as it is now; null: it is gone. */
export const lobbyAnswer = z.object({ room: z.optional(z.nullable(voiceRoom)) });

/** Events of `voice:lobby`. A member receives those of the rooms that their list holds, and of the one that they have named. */
export const LOBBY_SENDS = {
  room_changed: voiceRoom,
  room_removed: z.object({ id: z.string() }),
  /** More has changed than is published: the list is to be read again. */
  rooms_changed: z.object({}),
  /** Somebody has come into a room of the reader's, who asked to be notified. */
  room_entered: z.object({ room: voiceRoom, display_name: z.string() }),
} as const;
