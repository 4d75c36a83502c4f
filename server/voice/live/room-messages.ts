import type * as z from "zod/mini";
import {
  ENGINE_ID,
  type ROOM_SENDS,
  roomErrorCode,
  VOICE_CHANNEL_LIMITS,
} from "#contract/voice/room-channel.ts";
import type { ROOM_EVENTS } from "#contract/voice/room-events.ts";
import { fail, type HandlerReply, type Member, ok } from "#server/socket/channel.ts";
import type { EngineCandidate } from "../engine/engine.ts";
import type { LiveRoom } from "./live-room.ts";
import { areApart, type Seat } from "./seats.ts";

export interface Sitting {
  room: LiveRoom;
  seat: Seat;
  /** They were there before: others need no message. */
  isResumed: boolean;
  /** They say that they were there before. Behind a restart of the server nobody else knows: a call goes on that never ended. */
  isReturn: boolean;
  /** `countChanges` before anything was read. */
  changesBefore: number;
}

type Sends = typeof ROOM_SENDS;
export type RoomMember = Member<Sitting, Sends>;
type Offer = z.infer<typeof ROOM_EVENTS.offer>;
type Answer = z.infer<typeof ROOM_EVENTS.answer>;
type Text = z.infer<typeof ROOM_EVENTS.text>;
type Candidate = z.infer<(typeof ROOM_EVENTS)["ice-candidate"]>;
/** Both forms that the protocol knows. */
type Description = string | { sdp: string };

/** What a room has for whoever sits on one seat: `LiveRoom` sends it. */
export interface SeatMessage {
  id: string;
  event: keyof Sends & string;
  payload: unknown;
}

/** Another tab of the same person gets it too, and has another seat. */
function publishSeat(member: RoomMember, { id, event, payload }: SeatMessage): void {
  // Of that event: LiveRoom's own types say so.
  if (member.state.seat.id === id) member.push(event, payload as z.input<Sends[typeof event]>);
}

/** What a room, or a call of its API, has for this member's channel. */
export function takeSignal(member: RoomMember, event: string, payload: unknown): void {
  if (event === "replaced") {
    if ((payload as { by: string }).by === member.id) return;
    member.push("error", { code: "replaced", message: "The call goes on in another tab." });
    member.close();
  } else if (event === "own_mute") {
    member.push("own_mute", payload as { is_muted: boolean });
  } else if (event === "muted") {
    member.push("error", { code: "muted", message: "A moderator has muted you." });
  } else if (event === "ended") {
    const { code, message } = payload as { code: string; message: string };
    member.push("error", { code: roomErrorCode.parse(code), message });
    member.close();
  } else if (event === "left") member.close();
  else if (event === "seat") publishSeat(member, payload as SeatMessage);
}

/** The seat that a message is for: undefined where its sender or its receiver isn't on the roster. */
function findPair({ state: { room, seat } }: RoomMember, target: string | number): Seat | undefined {
  if (room.row.engine !== "mesh" || !seat.isOnRoster || !/^\d{1,10}$/.test(String(target))) return undefined;
  return room.findOnRoster(Number(target));
}

function toSender({ state: { seat } }: RoomMember) {
  return {
    from_user_id: String(seat.person.userId),
    from_display_name: seat.person.displayName,
    from_participant_id: seat.id,
  };
}

/** A receiver who is written to faster than they read is cut off: nobody may do that to another. */
function takeBudget({ state: { room, seat } }: RoomMember, event: string, target: string): boolean {
  const kind = event === "ice-candidate" ? "candidates" : "descriptions";
  return room.budgets.take(`${kind} ${seat.person.userId} ${target}`, VOICE_CHANNEL_LIMITS[kind]);
}

/** From one browser to another: who sent it says the server. */
function relay<E extends "offer" | "answer" | "ice-candidate">(
  member: RoomMember,
  event: E,
  target: string | number,
  payload: object,
): HandlerReply {
  const pair = findPair(member, target);
  if (!pair || pair === member.state.seat) return fail("not_participant");
  const target_user_id = String(pair.person.userId);
  if (!takeBudget(member, event, target_user_id)) return fail("too_many_messages");
  // A person who was blocked gets no sign of it.
  if (areApart(member.state.seat, pair)) return ok();
  const message = { ...payload, ...toSender(member), target_user_id };
  member.sendTo(target_user_id, event, message as z.input<Sends[E]>);
  return ok();
}

/** The member's place in the mix, where that is meant; undefined: it isn't, or there is none. */
function getEngineSeat({ state: { room, seat } }: RoomMember, target: string | number) {
  return target === ENGINE_ID && seat.isOnRoster ? room.getEngineSeat(seat) : undefined;
}

function relayToAll(member: RoomMember, payload: Candidate): HandlerReply {
  const { room, seat } = member.state;
  if (room.row.engine !== "mesh" || !seat.isOnRoster) return fail("not_participant");
  for (const other of room.listRoster())
    if (other !== seat) relay(member, "ice-candidate", other.person.userId, payload);
  return ok();
}

export function relayOffer(member: RoomMember, { target_user_id, ...payload }: Offer): HandlerReply {
  if (!isAudioDescription(payload.offer)) return fail("invalid_offer_format");
  const engineSeat = getEngineSeat(member, target_user_id);
  if (!engineSeat) return relay(member, "offer", target_user_id, payload);
  if (!takeBudget(member, "offer", ENGINE_ID)) return fail("too_many_messages");
  engineSeat.offer(toSdp(payload.offer), payload.epoch ?? 0);
  return ok();
}

export function relayAnswer(member: RoomMember, { target_user_id, ...payload }: Answer): HandlerReply {
  return isAudioDescription(payload.answer)
    ? relay(member, "answer", target_user_id, payload)
    : fail("invalid_answer_format");
}

export function relayCandidate(member: RoomMember, payload: Candidate): HandlerReply {
  // "" says that no more will come.
  if (payload.candidate !== "" && !/^(a=)?candidate:/.test(payload.candidate))
    return fail("invalid_candidate_string");
  const { target_user_id } = payload;
  if (target_user_id === undefined) return relayToAll(member, payload);
  const engineSeat = getEngineSeat(member, target_user_id);
  if (!engineSeat) return relay(member, "ice-candidate", target_user_id, payload);
  if (!takeBudget(member, "ice-candidate", ENGINE_ID)) return fail("too_many_messages");
  engineSeat.candidate(toEngineCandidate(payload), payload.epoch ?? 0);
  return ok();
}

export function change(member: RoomMember, state: Partial<Seat["state"]>): HandlerReply {
  const { room, seat } = member.state;
  if (!seat.isOnRoster) return fail("not_participant");
  Object.assign(seat.state, state);
  room.stateChanged(seat);
  return ok();
}

export function say(member: RoomMember, { text, key }: Text): HandlerReply {
  const { room, seat } = member.state;
  if (!seat.isOnRoster) return fail("not_participant");
  // The answer was lost, not the line.
  if (key !== undefined && room.texts.has(seat.person, key)) return ok();
  const line = room.texts.add(seat.person, text, key);
  if (!line) return fail("too_many_messages");
  const roster = room.listRoster();
  if (!roster.some((other) => areApart(seat, other))) member.broadcast("text", line);
  else
    for (const other of roster)
      if (!areApart(seat, other)) member.sendTo(String(other.person.userId), "text", line);
  return ok();
}

/** Somebody without a microphone says so by `devices: { microphone: false }`; any other form says nothing of it. */
export function readMicrophone(devices: unknown): boolean {
  return !(
    typeof devices === "object" &&
    devices !== null &&
    "microphone" in devices &&
    devices.microphone === false
  );
}

const toSdp = (description: Description) => (typeof description === "string" ? description : description.sdp);

function toEngineCandidate({
  candidate,
  sdp_mid = null,
  sdp_mline_index = null,
}: Candidate): EngineCandidate {
  return { candidate: candidate.replace(/^a=/, ""), sdpMid: sdp_mid, sdpMLineIndex: sdp_mline_index };
}

/** One part of sound and nothing else. */
function isAudioDescription(description: Description): boolean {
  const parts = toSdp(description).match(/^m=\w+/gm) ?? [];
  return parts.length === 1 && parts[0] === "m=audio";
}
