import * as z from "zod/mini";
import { accept, type Channel, declareChannel, type JoinRequest, refuse } from "#server/socket/channel.ts";

/** Rooms whose people talk while the fuzz goes on. */
export const OBSERVED_ROOM = "observed";
/** Of the people of the bench, these alone may join it. */
export const MAX_OBSERVER_ID = 8;

/** As long as an offer of WebRTC may become. */
const MAX_OFFER_LENGTH = 16_384;

const participant = z.object({ user_id: z.string(), display_name: z.string(), is_muted: z.boolean() });
type Participant = z.infer<typeof participant>;

const speaking = z.object({
  is_speaking: z.boolean(),
  /** One more with each message of a sender. */
  seq: z.int().check(z.nonnegative()),
  /** By the machine's monotonic clock, which its processes share. */
  sent_at_us: z.number(),
});
/** For one person of the room alone. */
const offer = z.object({
  target_user_id: z.string(),
  offer: z.string().check(z.maxLength(MAX_OFFER_LENGTH)),
});

/** What `speaking` carries to the server. */
export type Speaking = z.infer<typeof speaking>;
/** What members receive of it: the sender is the server's word. */
export type ParticipantSpeaking = Speaking & { user_id: string };

export const toTopic = (room: string | number) => `voice:room:${room}`;

/** A room as voice rooms are: roster, presence, and an event whose schema is checked and whose sender is stamped. */
export function createRoomChannel(): Channel {
  const rosters = new Map<string, Map<string, Participant>>();

  function takeRoster(room: string): Map<string, Participant> {
    const roster = rosters.get(room) ?? new Map<string, Participant>();
    rosters.set(room, roster);
    return roster;
  }

  function join({ params, person }: JoinRequest) {
    const room = params.room ?? "";
    if (room === OBSERVED_ROOM && person.userId > MAX_OBSERVER_ID) return refuse("unauthorized");
    return accept({ room, user_id: String(person.userId), display_name: person.username });
  }

  return declareChannel({
    topic: toTopic("{room}"),
    isHomed: true,
    sends: {
      roster_snapshot: z.object({ participants: z.array(participant) }),
      participant_joined: participant,
      participant_left: z.object({ user_id: z.string() }),
      participant_speaking: z.extend(speaking, { user_id: z.string() }),
      offer: z.extend(offer, { from_user_id: z.string() }),
    },
    join,
    joined(member) {
      const { room, user_id, display_name } = member.state;
      const roster = takeRoster(room);
      member.push("roster_snapshot", { participants: [...roster.values()] });
      const newcomer = { user_id, display_name, is_muted: false };
      roster.set(member.id, newcomer);
      member.track({ username: display_name, muted: false });
      member.pushPresenceState();
      member.broadcastFrom("participant_joined", newcomer);
    },
    left(member) {
      const { room, user_id } = member.state;
      const roster = takeRoster(room);
      roster.delete(member.id);
      if (roster.size === 0) rosters.delete(room);
      member.broadcast("participant_left", { user_id });
    },
    events: {
      speaking: {
        schema: speaking,
        handle(member, payload) {
          member.broadcastFrom("participant_speaking", { user_id: member.state.user_id, ...payload });
        },
      },
      offer: {
        schema: offer,
        handle(member, payload) {
          member.sendTo(payload.target_user_id, "offer", { from_user_id: member.state.user_id, ...payload });
        },
      },
    },
  });
}
