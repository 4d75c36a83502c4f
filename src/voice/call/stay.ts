import {
  type JoinAnswer,
  joinAnswer,
  type Participant,
  toRoomTopic,
  VOICE_PROTOCOL,
} from "#contract/voice/room-channel.ts";
import type { Membership } from "#providers/socket/socket.ts";
import { PushError, type TopicState } from "#providers/socket/topic.ts";
import { createRoomHandlers } from "./attendance.ts";
import type { CallContext } from "./call-deps.ts";
import { readRefusal } from "./faults.ts";
import type { CallLinks } from "./links/call-links.ts";
import type { CallFault } from "./room-state.ts";

export interface StayDeps extends CallContext {
  links: CallLinks;
  isListening: boolean;
  /** Why no link is made. */
  soundFault: CallFault | undefined;
}

/** Specification B section 9. */
const TIMEOUT_MS = 10_000;
const MAX_TRIES = 5;
/** The first tries are made at once: so long a connection may be away before anybody is alarmed. */
const STALLED_MS = 10_000;
/** While somebody joins the browser has enough to do. */
const REFILL_MS = 2000;
const LOOK_EVERY_MS = 100;

/** What a line comes to that the other end may not have got. The last is the server's, where the room has just moved. */
const LOST: ReadonlySet<string> = new Set(["timeout", "not_connected", "unmatched topic"]);

/** Of answers that say no more than that it was taken. */
const NOTHING = { parse: () => undefined };

/** One person's time in a room, from its channel's join to their leaving: their seat, and what they publish to the others. */
export class Stay {
  readonly #deps: StayDeps;
  readonly #isMutedAtJoin: boolean;
  #membership: Membership | undefined;
  #participantId: string | undefined;
  #joinNumber = 0;
  /** The channel was joined before. */
  #isBack = false;
  /** Since when the server is away. */
  #awayAt: number | undefined;
  /** As others know it. */
  #isMicrophonePublished = false;
  /** Whether the other end knows the event; asked once. */
  #isHearingKnown = true;
  /** Send the lines that aren't acknowledged yet. */
  readonly #sendings = new Set<() => void>();
  #lineCount = 0;
  /** The last line that was given up. */
  #givenUp: { text: string; key: string } | undefined;
  readonly #joinTimer: ReturnType<typeof setTimeout>;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #unsubscribe: () => void;

  constructor(deps: StayDeps) {
    const { auto_mute_on_join, push_to_talk } = deps.getPreferences();
    this.#deps = deps;
    this.#isMutedAtJoin = auto_mute_on_join || push_to_talk;
    this.#joinTimer = setTimeout(() => deps.fail({ kind: this.#findDelay() }), TIMEOUT_MS);
    this.#timer = setInterval(() => this.#lookForServer(), LOOK_EVERY_MS);
    this.#unsubscribe = deps.sound.store.subscribe(() => this.#followMicrophone());
    window.addEventListener("pagehide", this.#onPageHide, { capture: true });
    this.#membership = deps.socket.join(toRoomTopic(deps.roomId), {
      params: () => this.#toPayload(),
      on: createRoomHandlers({
        dispatch: deps.store.dispatch,
        attendance: deps.attendance,
        getLinks: () => deps.links.current,
        takeRoster: (...roster) => this.#takeRoster(...roster),
        takeRoom: (room) => deps.links.watchAddress(() => deps.store.dispatch({ type: "room", room })),
        setMuted: (isMuted) => void deps.voice.setMuted(isMuted),
        end: (code) => deps.end({ type: "ended", code }),
      }),
      onState: (state, answer) => this.#follow(state, answer),
    });
  }

  /** Of the seat; undefined before there is one. */
  get participantId(): string | undefined {
    return this.#participantId;
  }

  /** Why nobody has answered in time. */
  #findDelay() {
    const { socket } = this.#deps;
    const status = socket.getStatus();
    if (status === "connected") return "join_timeout";
    if (status === "idle") return "no_token";
    return socket.getFailedTries() > 0 ? "connection_failed" : "connection_timeout";
  }

  #toPayload(): object {
    const state = this.#deps.store.getState();
    // Left out where it is the room's to say.
    const is_muted = state.phase === "in" ? state.me.isMuted : this.#isMutedAtJoin || undefined;
    const { roomId, userId, displayName } = this.#deps;
    return {
      room_id: roomId,
      user_id: userId,
      display_name: displayName,
      is_muted,
      seat: this.#participantId && { id: this.#participantId, join_number: this.#joinNumber },
    };
  }

  #follow(state: TopicState, answer: unknown): void {
    const { store, fail, end } = this.#deps;
    const { phase } = store.getState();
    if (state === "joined") this.#joined(joinAnswer.parse(answer ?? {}));
    else if (state === "closed") {
      if (phase === "joining") fail(readRefusal(answer));
      // A refused rejoin: banned, closed or deleted meanwhile.
      else if (phase === "in" && answer !== undefined) fail(readRefusal(answer));
      // Without a word: this person has left by another way.
      else if (phase === "in") end({ type: "left" });
    } else if (phase === "in") {
      this.#awayAt ??= performance.now();
      store.dispatch({ type: "signalling", signalling: "reconnecting" });
    }
  }

  #joined(answer: JoinAnswer): void {
    const { store, links, attendance, userId, isListening, soundFault } = this.#deps;
    clearTimeout(this.#joinTimer);
    this.#awayAt = undefined;
    attendance.begin();
    const state = store.getState();
    this.#isBack = state.phase === "in";
    this.#participantId = answer.participant_id ?? this.#participantId ?? userId;
    const me = {
      participantId: this.#participantId,
      userId,
      isMuted:
        state.phase === "in"
          ? state.me.isMuted
          : this.#isMutedAtJoin || answer.room?.auto_mute_on_join === true,
      isSilenced: false,
      isSpeaking: false,
      isListening,
    };
    links.watchAddress(() => {
      links.relays.take(answer.ice_servers, answer.ice_expires_at);
      store.dispatch({ type: "joined", room: answer.room, me, canModerate: answer.can_moderate, soundFault });
    });
    if (!soundFault) void links.open(answer.room?.engine ?? "mesh");
    this.send("join", {});
    for (const send of this.#sendings) send();
    void this.#publishReady();
    links.current?.forgetHearing();
    void this.#deps.voice.changeSending();
  }

  #takeRoster(participants: readonly Participant[], isPartial: boolean): void {
    const { attendance, links, voice, userId, fail } = this.#deps;
    // A server of the documented protocol knows no seats: one's own entry is found by the person.
    const own =
      participants.find(({ id }) => id === this.#participantId) ??
      participants.find(({ user_id }) => user_id === userId);
    if (!own) {
      fail({ kind: "failed" });
      return;
    }
    this.#participantId = own.id;
    this.#joinNumber = own.join_number;
    attendance.takeRoster(participants, own.id, this.#isBack, isPartial);
    links.spares.keep(0, REFILL_MS);
    if (this.#isBack) voice.publishAgain();
  }

  #lookForServer(): void {
    const { store, socket } = this.#deps;
    const state = store.getState();
    if (state.phase !== "in" || state.signalling !== "reconnecting") return;
    const awayMs = performance.now() - (this.#awayAt ?? performance.now());
    if (awayMs > STALLED_MS && socket.getFailedTries() >= MAX_TRIES)
      store.dispatch({ type: "signalling", signalling: "stalled" });
  }

  send(event: string, payload: object): void {
    this.#membership?.send(event, payload);
  }

  /**
   * Sent again behind a join, where the connection was lost or the room has moved before the line was acknowledged: by its key nobody
   * is shown it twice. @throws PushError with the reason; `timeout` after 10 s.
   */
  async sendText(text: string): Promise<void> {
    this.#lineCount += 1;
    const isAgain = this.#givenUp?.text === text;
    const line = (isAgain && this.#givenUp) || { text, key: `${this.#participantId}-${this.#lineCount}` };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const send = () =>
      void this.#membership?.push("text", line, NOTHING).then(resolve, (error: unknown) => {
        if (!(error instanceof PushError && LOST.has(error.reason))) reject(error);
      });
    const timer = setTimeout(() => reject(new PushError("timeout")), TIMEOUT_MS);
    this.#sendings.add(send);
    send();
    try {
      await promise;
      this.#givenUp = undefined;
    } catch (error) {
      this.#givenUp = line;
      throw error;
    } finally {
      clearTimeout(timer);
      this.#sendings.delete(send);
    }
  }

  /** Whether there is a microphone is published to others: it may be unplugged, and come back. */
  #followMicrophone(): void {
    const { store, sound } = this.#deps;
    if (sound.store.getState().isOpen !== this.#isMicrophonePublished && store.getState().phase === "in")
      void this.#publishReady();
  }

  async #publishReady(): Promise<void> {
    const { store, sound } = this.#deps;
    this.#isMicrophonePublished = sound.store.getState().isOpen;
    const ready = {
      protocol_version: VOICE_PROTOCOL,
      devices: { microphone: this.#isMicrophonePublished },
      capabilities: { epochs: true },
    };
    try {
      await this.#membership?.push("ready", ready, NOTHING);
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      // It is said again with the next join.
      if (error.reason !== "timeout" && error.reason !== "not_connected")
        store.dispatch({ type: "complaint", text: error.reason });
    }
  }

  async publishHearing(userIds: readonly string[]): Promise<void> {
    if (!this.#isHearingKnown || !this.#membership) return;
    try {
      await this.#membership.push("hearing", { user_ids: userIds }, NOTHING);
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      if (error.reason === "unknown_event_type") {
        this.#isHearingKnown = false;
        this.#deps.store.dispatch({ type: "hearing_unknown" });
      } else this.#deps.links.current?.forgetHearing();
    }
  }

  /** Before the client of the protocol closes the connection: else the seat would be kept for 20 s, as for a lost one. */
  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    // Before there is a seat, leaving would free that of another tab.
    if (persisted || this.#participantId === undefined) return;
    this.send("leave", {});
    // Behind the message, in case that is lost. Nobody is there any more to learn of a failure.
    this.#deps.sendLeave(this.#participantId).catch(() => undefined);
  };

  close(): void {
    clearTimeout(this.#joinTimer);
    clearInterval(this.#timer);
    this.#unsubscribe();
    window.removeEventListener("pagehide", this.#onPageHide, { capture: true });
    const membership = this.#membership;
    this.#membership = undefined;
    this.#participantId = undefined;
    this.#deps.attendance.end();
    membership?.leave();
  }
}
