import * as z from "zod/mini";
import {
  type Participant,
  ROOM_SENDS,
  type RoomErrorCode,
  readSdp,
  roomErrorCode,
} from "#contract/voice-channel.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { type EventHandler, receive } from "#providers/socket-topic.ts";
import type { Attendance } from "./attendance.ts";
import type { Links } from "./links/links.ts";
import type { RoomEvent } from "./room-state.ts";

export interface RoomHandlerParts {
  dispatch: (event: RoomEvent) => void;
  attendance: Attendance;
  getLinks: () => Links | undefined;
  takeRoster: (participants: readonly Participant[]) => void;
  takeRoom: (room: VoiceRoom) => void;
  /** The person has muted themselves by another way. */
  setMuted: (isMuted: boolean) => void;
  end: (code: Exclude<RoomErrorCode, "muted">) => void;
}

/** A server may have words of its own for what went wrong. */
const serverError = z.object({
  code: z.optional(z.string()),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
});

interface FromSomebody {
  from_user_id: string;
  from_participant_id?: string | undefined;
  epoch?: number | undefined;
}

/** Of the two words for a mute either may be there alone. */
const readMute = (participant: Participant): Participant => ({
  ...participant,
  is_muted: participant.is_muted || participant.mute_state === "muted",
});

/** What a call does with each event of its room (contract/voice-channel.ts). */
export function createRoomHandlers(parts: RoomHandlerParts): Readonly<Record<string, EventHandler>> {
  const { dispatch, getLinks, attendance } = parts;

  const takeDescription = (event: "offer" | "answer", message: FromSomebody, said: unknown) => {
    const sdp = readSdp(said);
    if (sdp === undefined) return;
    const description = { type: event, sdp };
    getLinks()?.take(
      { userId: message.from_user_id, participantId: message.from_participant_id },
      { event, description, epoch: message.epoch },
    );
  };

  return {
    roster_snapshot: receive(ROOM_SENDS.roster_snapshot, ({ participants }) =>
      parts.takeRoster(participants.map(readMute)),
    ),
    roster_update: receive(ROOM_SENDS.roster_update, ({ added, updated, removed }) => {
      const changed = [...added, ...updated].map(readMute);
      dispatch({ type: "seats", changed, removed });
      for (const { id, user_id } of removed) attendance.remove(user_id, id);
      for (const participant of changed) attendance.add(participant);
    }),
    participant_joined: receive(ROOM_SENDS.participant_joined, (joined) => {
      const participant = readMute(joined);
      dispatch({ type: "seats", changed: [participant], removed: [] });
      attendance.add(participant);
    }),
    participant_left: receive(ROOM_SENDS.participant_left, (seat) => {
      dispatch({ type: "seats", changed: [], removed: [seat] });
      attendance.remove(seat.user_id, seat.id);
    }),
    participant_ready: receive(ROOM_SENDS.participant_ready, ({ user_id }) =>
      dispatch({ type: "ready", userId: user_id }),
    ),
    participant_muted: receive(ROOM_SENDS.participant_muted, ({ user_id, is_muted }) => {
      dispatch({ type: "muted", userId: user_id, isMuted: is_muted });
      getLinks()?.changeState(user_id, { is_muted });
    }),
    participant_speaking: receive(ROOM_SENDS.participant_speaking, ({ user_id, is_speaking }) => {
      dispatch({ type: "speaking", userId: user_id, isSpeaking: is_speaking });
      getLinks()?.changeState(user_id, { is_speaking });
    }),
    participant_hearing: receive(ROOM_SENDS.participant_hearing, ({ user_id, user_ids }) =>
      dispatch({ type: "hearing", userId: user_id, userIds: user_ids }),
    ),
    offer: receive(ROOM_SENDS.offer, (message) => takeDescription("offer", message, message.offer)),
    answer: receive(ROOM_SENDS.answer, (message) => takeDescription("answer", message, message.answer)),
    "ice-candidate": receive(ROOM_SENDS["ice-candidate"], (message) => {
      const { candidate, sdp_mid = null, sdp_mline_index = null, epoch } = message;
      getLinks()?.take(
        { userId: message.from_user_id, participantId: message.from_participant_id },
        {
          event: "ice-candidate",
          candidate: { candidate, sdpMid: sdp_mid, sdpMLineIndex: sdp_mline_index },
          epoch,
        },
      );
    }),
    text: receive(ROOM_SENDS.text, (text) => {
      if (!attendance.isBlocked(text.user_id)) dispatch({ type: "text", text });
    }),
    texts: receive(ROOM_SENDS.texts, ({ texts }) =>
      dispatch({ type: "texts", texts: texts.filter(({ user_id }) => !attendance.isBlocked(user_id)) }),
    ),
    apart: receive(ROOM_SENDS.apart, ({ user_ids }) => attendance.takeApart(user_ids)),
    room_updated: receive(ROOM_SENDS.room_updated, parts.takeRoom),
    own_mute: receive(ROOM_SENDS.own_mute, ({ is_muted }) => parts.setMuted(is_muted)),
    error: receive(serverError, ({ code, reason, message }) => {
      const known = roomErrorCode.safeParse(code);
      if (!known.success) dispatch({ type: "complaint", text: message ?? reason ?? code ?? "" });
      // That one is muted comes with the roster too.
      else if (known.data !== "muted") parts.end(known.data);
    }),
  };
}
