import * as z from "zod/mini";
import {
  type Participant,
  ROOM_SENDS,
  type RoomErrorCode,
  readSdp,
  roomErrorCode,
} from "#contract/voice/room-channel.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { type EventHandler, receive } from "#providers/socket/topic.ts";
import type { Links } from "./links/links.ts";
import { Mesh, RETURN_MS } from "./links/mesh.ts";
import type { RoomEvent, RoomState } from "./room-state.ts";
import type { Store } from "./store.ts";

export interface AttendanceDeps {
  store: Store<RoomState, RoomEvent>;
  userId: string;
  /** Numbers of the people whom this person has blocked. */
  blocked: readonly string[];
  getLinks: () => Links | undefined;
  chime: (kind: "in" | "out") => void;
}

/** Behind the links' own time for those who are missing. */
const DROP_MS = RETURN_MS + 200;

/** The people who are in the room, by the server, and those of them with whom this browser makes no link. */
export class Attendance {
  readonly #deps: AttendanceDeps;
  #blocked: ReadonlySet<string>;
  /** Between whom and this person the server lets nothing pass: one of the two has blocked the other. */
  #apart: ReadonlySet<string> = new Set();
  /** Was received since the last join; where nobody is apart, nothing is. */
  #isApartKnown = false;
  /** Those who were missing in the roster behind a loss, and are not back yet. */
  #missing = new Set<string>();
  /** The last roster may lack people who are there. */
  #isPartial = false;
  #isKnown = false;

  constructor(deps: AttendanceDeps) {
    this.#deps = deps;
    this.#blocked = new Set(deps.blocked);
  }

  /** The roster was received since the call began. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** By this person. */
  isBlocked(userId: string): boolean {
    return this.#blocked.has(userId);
  }

  isApart(userId: string): boolean {
    return this.#blocked.has(userId) || this.#apart.has(userId);
  }

  get #people() {
    const state = this.#deps.store.getState();
    return state.phase === "in" ? state.people : [];
  }

  /** The channel was joined: a roster follows. */
  begin(): void {
    this.#isApartKnown = false;
  }

  end(): void {
    this.#isKnown = false;
    this.#isPartial = false;
    this.#apart = new Set();
    this.#missing = new Set();
  }

  /** `isBack`: behind a loss, when the server itself may be new and know few; so it may behind a partial one. */
  takeRoster(
    participants: readonly Participant[],
    participantId: string,
    isBack: boolean,
    isPartial: boolean,
  ): void {
    const keepMissing = isBack || isPartial || this.#isPartial;
    this.#isPartial = isPartial;
    this.#isKnown = true;
    if (!this.#isApartKnown) this.takeApart([]);
    const present = new Set(participants.map(({ user_id }) => user_id));
    const known = this.#people.map(({ user_id }) => user_id);
    this.#missing = new Set(known.filter((userId) => !present.has(userId)));
    this.#deps.store.dispatch({ type: "roster", participants, keepMissing });
    this.#deps.getLinks()?.takeRoster(participants, participantId, keepMissing, isPartial);
    if (keepMissing) this.#dropMissingLater();
  }

  /** Those who were missing behind a restart, and have not come back, are gone; by a partial roster only those who have no link any more. */
  #dropMissingLater(): void {
    const missing = this.#missing;
    setTimeout(() => {
      // Behind another loss there is another roster.
      if (this.#missing !== missing) return;
      const links = this.#isPartial ? this.#deps.getLinks() : undefined;
      const removed = this.#people.filter(({ user_id }) => missing.has(user_id) && !links?.has(user_id));
      this.#deps.store.dispatch({ type: "seats", changed: [], removed });
      if (links) this.#dropMissingLater();
    }, DROP_MS);
  }

  /** Somebody who is there, new or known. */
  add(participant: Participant): void {
    const { user_id } = participant;
    if (user_id === this.#deps.userId) return;
    this.#missing.delete(user_id);
    const links = this.#deps.getLinks();
    const isNew = !links?.has(user_id);
    links?.add(participant);
    // People who are apart have no link, and get no sign of each other.
    if (isNew && links?.has(user_id)) this.#deps.chime("in");
  }

  remove(userId: string, participantId: string): void {
    const links = this.#deps.getLinks();
    const wasThere = links?.has(userId);
    links?.remove(userId, participantId);
    if (wasThere && !links?.has(userId) && userId !== this.#deps.userId) this.#deps.chime("out");
  }

  /** Nothing passes between the two from now on, or does again. */
  setBlocked(userId: string, isBlocked: boolean): void {
    const rest = new Set(this.#blocked);
    if (isBlocked) rest.add(userId);
    else rest.delete(userId);
    this.#blocked = rest;
    this.#applyApart([userId]);
  }

  /** What the server says of it: neither of the two knows who has blocked whom. */
  takeApart(userIds: readonly string[]): void {
    const former = this.#apart;
    this.#isApartKnown = true;
    this.#apart = new Set(userIds);
    this.#deps.store.dispatch({ type: "apart", userIds });
    this.#applyApart([...former, ...userIds]);
  }

  #applyApart(userIds: readonly string[]): void {
    const links = this.#deps.getLinks();
    // A mix is one sound: everybody in it hears everybody.
    if (!(links instanceof Mesh)) return;
    for (const person of this.#people) {
      const { user_id } = person;
      if (!userIds.includes(user_id)) continue;
      if (this.isApart(user_id)) {
        links.remove(user_id);
        this.#deps.store.dispatch({ type: "link", userId: user_id, link: "none" });
      } else links.add(person);
    }
  }
}

export interface RoomHandlerDeps {
  dispatch: (event: RoomEvent) => void;
  attendance: Attendance;
  getLinks: () => Links | undefined;
  takeRoster: (participants: readonly Participant[], isPartial: boolean) => void;
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

/** What a call does with each event of its room (contract/voice/room-channel.ts). */
export function createRoomHandlers(deps: RoomHandlerDeps): Readonly<Record<string, EventHandler>> {
  const { dispatch, getLinks, attendance } = deps;

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
    roster_snapshot: receive(ROOM_SENDS.roster_snapshot, ({ participants, is_partial }) =>
      deps.takeRoster(participants.map(readMute), is_partial),
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
    room_updated: receive(ROOM_SENDS.room_updated, deps.takeRoom),
    own_mute: receive(ROOM_SENDS.own_mute, ({ is_muted }) => deps.setMuted(is_muted)),
    error: receive(serverError, ({ code, reason, message }) => {
      const known = roomErrorCode.safeParse(code);
      if (!known.success) dispatch({ type: "complaint", text: message ?? reason ?? code ?? "" });
      // That one is muted comes with the roster too.
      else if (known.data !== "muted") deps.end(known.data);
    }),
  };
}
