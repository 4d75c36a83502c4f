import type { Participant, RoomErrorCode, RoomText } from "#contract/voice/room-channel.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";

/** How one's own browser and another's reach each other. `lost`: it was there; `unreachable`: every attempt failed. */
export type LinkPhase = "none" | "connecting" | "connected" | "lost" | "unreachable";

/** How well somebody is heard, from the browser's own figures. */
export interface LinkQuality {
  /** From the join to their first sound. Undefined: not heard yet. */
  firstAudioMs: number | undefined;
  /** Per cent of packets that did not come, of late. */
  lossPercent: number;
  /** There and back. */
  roundTripMs: number | undefined;
  /** Through a relay, of this browser's or the other's. */
  isRelayed: boolean;
}

/** Somebody else in the room, as this browser has them. */
export interface Person extends Participant {
  link: LinkPhase;
  quality: LinkQuality | undefined;
}

/** What can stand against a call (specification B section 8). `reason` is the browser's own word. */
export type CallFault =
  | { kind: "audio"; reason: string }
  | { kind: "no_microphone" }
  | { kind: "microphone_refused" }
  | { kind: "insecure_page" }
  | { kind: "no_webrtc" }
  | { kind: "no_output" }
  | { kind: "no_token" }
  | { kind: "no_room" }
  | { kind: "no_user" }
  | { kind: "join_timeout" }
  | { kind: "connection_timeout" }
  | { kind: "connection_failed" }
  | { kind: "room_not_found" }
  | { kind: "unauthorized" }
  | { kind: "full" }
  | { kind: "banned" }
  | { kind: "closed" }
  | { kind: "engine" }
  | { kind: "failed" };

/** `stalled`: five attempts have failed, and it goes on trying. */
export type Signalling = "connected" | "reconnecting" | "stalled";

/** That one is muted ends nothing. */
export type Ending = "left" | Exclude<RoomErrorCode, "muted">;

/** What the person does with their microphone. */
export interface OwnState {
  participantId: string | undefined;
  userId: string;
  isMuted: boolean;
  /** By a moderator, for all. */
  isSilenced: boolean;
  isSpeaking: boolean;
  /** Without a microphone: one listens. */
  isListening: boolean;
}

export interface InRoom {
  phase: "in";
  room: VoiceRoom | undefined;
  me: OwnState;
  /** The others, in the order of joining. */
  people: readonly Person[];
  signalling: Signalling;
  canModerate: boolean;
  texts: readonly RoomText[];
  /** Whether others' browsers say whom they hear. */
  isHearingKnown: boolean;
  /** Numbers of the people with whom nothing passes, because one of the two has blocked the other. */
  apart: readonly string[];
  /** What the server said went wrong, in a word that this client doesn't know; until it is put away. */
  complaint: string | undefined;
  /** Why this browser has no sound in the call: one reads and writes. */
  soundFault?: CallFault | undefined;
}

export type RoomState =
  | { phase: "outside"; fault: CallFault | undefined }
  | { phase: "joining"; step: "microphone" | "connection" }
  | InRoom
  /** `isUnannounced`: the leaving did not reach the server. */
  | { phase: "over"; ending: Ending; isUnannounced?: boolean };

/** Everything that can happen to a call. */
export type RoomEvent =
  | { type: "join_began" }
  | { type: "microphone_ready" }
  | { type: "failed"; fault: CallFault }
  | { type: "left" }
  | { type: "leave_failed" }
  | { type: "fault_seen" }
  | { type: "complaint"; text: string | undefined }
  | {
      type: "joined";
      room: VoiceRoom | undefined;
      me: OwnState;
      canModerate: boolean;
      soundFault?: CallFault | undefined;
    }
  | { type: "roster"; participants: readonly Participant[]; keepMissing: boolean }
  | { type: "seats"; changed: readonly Participant[]; removed: readonly { id: string; user_id: string }[] }
  | { type: "muted"; userId: string; isMuted: boolean }
  | { type: "speaking"; userId: string; isSpeaking: boolean }
  | { type: "hearing"; userId: string; userIds: readonly string[] }
  | { type: "hearing_unknown" }
  | { type: "apart"; userIds: readonly string[] }
  | { type: "ready"; userId: string }
  | { type: "link"; userId: string; link: LinkPhase }
  | { type: "quality"; userId: string; quality: LinkQuality }
  | { type: "own"; change: Partial<OwnState> }
  | { type: "signalling"; signalling: Signalling }
  | { type: "room"; room: VoiceRoom }
  | { type: "text"; text: RoomText }
  | { type: "texts"; texts: readonly RoomText[] }
  | { type: "ended"; code: Exclude<Ending, "left"> };

export const OUTSIDE: RoomState = { phase: "outside", fault: undefined };

/** Lines that the screen keeps, as many as the server does. */
const MAX_TEXTS = 50;

const byJoining = (one: Participant, other: Participant) => one.join_number - other.join_number;

/** Keeps what is known of the link to the same seat; another seat of the same person is another browser. */
function toPerson(participant: Participant, known: Person | undefined): Person {
  const isSame = known?.id === participant.id;
  return { ...participant, link: isSame ? known.link : "none", quality: isSame ? known.quality : undefined };
}

/** Puts people in, each once. */
function put(people: readonly Person[], changed: readonly Participant[]): Person[] {
  const byUser = new Map(people.map((person) => [person.user_id, person]));
  for (const participant of changed)
    byUser.set(participant.user_id, toPerson(participant, byUser.get(participant.user_id)));
  return [...byUser.values()].sort(byJoining);
}

function change(state: InRoom, userId: string, values: Partial<Person>): InRoom {
  if (!state.people.some(({ user_id }) => user_id === userId)) return state;
  return {
    ...state,
    people: state.people.map((person) => (person.user_id === userId ? { ...person, ...values } : person)),
  };
}

/** Of one's own seat only the moderators' word counts: the rest is known here first. */
function takeOwn(me: OwnState, participants: readonly Participant[]): OwnState {
  const own = participants.find(({ id, user_id }) => id === me.participantId && user_id === me.userId);
  return own && own.is_silenced !== me.isSilenced ? { ...me, isSilenced: own.is_silenced } : me;
}

function takeRoster(state: InRoom, event: Extract<RoomEvent, { type: "roster" }>): InRoom {
  const { me } = state;
  const others = event.participants.filter(({ user_id }) => user_id !== me.userId);
  const present = new Set(others.map(({ user_id }) => user_id));
  const kept = event.keepMissing ? state.people : state.people.filter(({ user_id }) => present.has(user_id));
  return { ...state, me: takeOwn(me, event.participants), people: put(kept, others) };
}

function takeSeats(state: InRoom, { changed, removed }: Extract<RoomEvent, { type: "seats" }>): InRoom {
  const isGone = (person: Person) =>
    removed.some(({ id, user_id }) => id === person.id && user_id === person.user_id);
  const kept = state.people.filter((person) => !isGone(person));
  const others = changed.filter(({ user_id }) => user_id !== state.me.userId);
  return { ...state, me: takeOwn(state.me, changed), people: put(kept, others) };
}

/** Each line once, in their order. Where the room has moved, or the server is new, it knows fewer than this browser. */
function addTexts(known: readonly RoomText[], added: readonly RoomText[]): RoomText[] {
  const byId = new Map([...known, ...added].map((line) => [line.id, line]));
  return [...byId.values()]
    .sort((one, other) => Date.parse(one.sent_at) - Date.parse(other.sent_at))
    .slice(-MAX_TEXTS);
}

function reduceInRoom(state: InRoom, event: RoomEvent): RoomState {
  switch (event.type) {
    case "roster":
      return takeRoster(state, event);
    case "seats":
      return takeSeats(state, event);
    case "muted":
      return change(state, event.userId, {
        is_muted: event.isMuted,
        mute_state: event.isMuted ? "muted" : "unmuted",
      });
    case "speaking":
      return change(state, event.userId, { is_speaking: event.isSpeaking });
    case "hearing":
      return change(state, event.userId, { hears: [...event.userIds] });
    case "hearing_unknown":
      return { ...state, isHearingKnown: false };
    case "ready":
      return change(state, event.userId, { status: "ready" });
    case "link":
      return change(state, event.userId, { link: event.link });
    case "quality":
      return change(state, event.userId, { quality: event.quality });
    case "own":
      return { ...state, me: { ...state.me, ...event.change } };
    case "signalling":
      return { ...state, signalling: event.signalling };
    case "room":
      return { ...state, room: event.room };
    case "text":
      return { ...state, texts: addTexts(state.texts, [event.text]) };
    case "texts":
      return { ...state, texts: addTexts(state.texts, event.texts) };
    case "joined":
      return {
        ...state,
        room: event.room ?? state.room,
        me: { ...state.me, participantId: event.me.participantId },
        canModerate: event.canModerate,
        signalling: "connected",
      };
    case "apart":
      return { ...state, apart: event.userIds };
    case "complaint":
      return { ...state, complaint: event.text };
    case "ended":
      return { phase: "over", ending: event.code };
    case "left":
      return { phase: "over", ending: "left" };
    case "failed":
      return { phase: "outside", fault: event.fault };
    case "join_began":
    case "microphone_ready":
    case "leave_failed":
    case "fault_seen":
      return state;
  }
}

function enter({ room, me, canModerate, soundFault }: Extract<RoomEvent, { type: "joined" }>): InRoom {
  return {
    phase: "in",
    room,
    me,
    people: [],
    signalling: "connected",
    canModerate,
    texts: [],
    isHearingKnown: true,
    apart: [],
    complaint: undefined,
    soundFault,
  };
}

/** The next state of a call. What comes too late for the state it finds changes nothing. */
export function reduceRoom(state: RoomState, event: RoomEvent): RoomState {
  if (state.phase === "in") return reduceInRoom(state, event);
  switch (event.type) {
    case "join_began":
      return { phase: "joining", step: "microphone" };
    case "microphone_ready":
      return state.phase === "joining" ? { phase: "joining", step: "connection" } : state;
    case "joined":
      return state.phase === "joining" ? enter(event) : state;
    case "failed":
      return state.phase === "joining" ? { phase: "outside", fault: event.fault } : state;
    case "left":
      return state.phase === "joining" ? OUTSIDE : state;
    case "fault_seen":
      return state.phase === "outside" ? OUTSIDE : state;
    case "leave_failed":
      return state.phase === "over" ? { ...state, isUnannounced: true } : state;
    case "ended":
      return state.phase === "joining" ? { phase: "over", ending: event.code } : state;
    default:
      return state;
  }
}

/** Whether others hear this person: how many do, of how many. Undefined where their browsers don't say, or nothing goes out. */
export function countHearers({
  people,
  me,
  isHearingKnown,
  apart,
}: InRoom): { hearing: number; all: number } | undefined {
  const others = people.filter(({ user_id }) => !apart.includes(user_id));
  const isQuiet = me.isListening || me.isMuted || me.isSilenced;
  if (!isHearingKnown || isQuiet || others.length === 0) return undefined;
  const reporting = others.filter(({ hears }) => hears !== undefined);
  if (reporting.length === 0) return undefined;
  const hearing = reporting.filter(({ hears }) => hears?.includes(me.userId)).length;
  return { hearing, all: others.length };
}
