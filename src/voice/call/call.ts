import type { VoicePreferences } from "#contract/preferences.ts";
import {
  type JoinAnswer,
  joinAnswer,
  type Participant,
  toRoomTopic,
  VOICE_PROTOCOL,
} from "#contract/voice-channel.ts";
import type { IceServer, RoomEngine } from "#contract/voice-rooms.ts";
import type { Membership, Socket } from "#providers/socket.ts";
import { PushError, type TopicState } from "#providers/socket-topic.ts";
import { Attendance } from "./attendance.ts";
import { IceServers } from "./ice-servers.ts";
import { toLevelPercent } from "./level.ts";
import { type LinkSettings, toConfiguration } from "./link-parts.ts";
import type { Links, LinksParts } from "./links.ts";
import { Mesh } from "./mesh.ts";
import { OwnVoice } from "./own-voice.ts";
import { PeerLink } from "./peer-link.ts";
import { readMicrophoneFault, readRefusal } from "./read-fault.ts";
import { createRoomHandlers } from "./room-handlers.ts";
import {
  type CallFault,
  OUTSIDE,
  type OwnState,
  type RoomEvent,
  type RoomState,
  reduceRoom,
} from "./room-state.ts";
import { Sound } from "./sound.ts";
import { SpareConnections } from "./spare-connections.ts";
import { createStore, type Store } from "./store.ts";

export interface CallParts {
  /** The room's public id. */
  roomId: string;
  userId: string;
  displayName: string;
  socket: Pick<Socket, "join" | "getStatus" | "getFailedTries" | "tryNow">;
  preferences: VoicePreferences;
  /** Relays with credentials that are good by now. */
  fetchIceServers: () => Promise<readonly IceServer[]>;
  /** Past the socket, which may be away or closing. Names the seat, so that it ends no later one. Rejects as `Http` does. */
  sendLeave: (participantId: string) => Promise<void>;
  /** The room is public: who hides their address where strangers are, hides it here. */
  isPublicRoom: boolean;
  /** Numbers of the people whom this person has blocked. */
  blocked: readonly string[];
}

/** Ten times a second: levels in per cent, by the person's number; one's own under `own`. */
export type Levels = ReadonlyMap<string, number>;

const BITRATES = { low: 16_000, medium: 32_000, high: 64_000 } as const;
const MEASURE_EVERY_MS = 100;
const REPORT_EVERY_MS = 2000;
const HEARING_EVERY_MS = 500;
/** While somebody joins the browser has enough to do. */
const REFILL_MS = 2000;
/** Specification B section 9. */
const TIMEOUT_MS = 10_000;
const MAX_TRIES = 5;
/** The first tries are made at once: so long a connection may be away before anybody is alarmed. */
const STALLED_MS = 10_000;

/** Of answers that say no more than that it was taken. */
const NOTHING = { parse: () => undefined };

/**
 * A person's call in one room: microphone, channel, links, and the state that the screen draws. Everything that React does
 * not need to know is here; everything that it draws is in `store` and `levels`.
 */
export class Call {
  readonly store: Store<RoomState, RoomEvent> = createStore(reduceRoom, OUTSIDE);
  readonly sound: Sound;
  #parts: CallParts;
  #preferences: VoicePreferences;
  readonly #attendance: Attendance;
  readonly #voice: OwnVoice;
  #links: Links | undefined;
  #membership: Membership | undefined;
  readonly #ice: IceServers;
  #certificate: RTCCertificate | undefined;
  /** Asked for once: a connection made with another one would be refused. */
  #certificateMade: Promise<void> | undefined;
  readonly #spares = new SpareConnections(
    () => new RTCPeerConnection(toConfiguration(this.#toLinkSettings())),
  );
  /** The page is left. */
  #isClosed = false;
  #participantId: string | undefined;
  #joinNumber = 0;
  /** The channel was joined before in this call. */
  #isBack = false;
  #isMutedAtJoin = false;
  /** Counts joins and ends: a join that was given up in between goes no further. */
  #turn = 0;
  /** Since when the server is away. */
  #awayAt: number | undefined;
  #isListening = false;
  /** Why no link is made in this call. */
  #soundFault: CallFault | undefined;
  /** As others know it. */
  #isMicrophoneTold = false;
  #timers: ReturnType<typeof setInterval>[] = [];
  #joinTimer: ReturnType<typeof setTimeout> | undefined;
  #levelListeners = new Set<(levels: Levels) => void>();
  /** Whether the other end knows the event; asked once. */
  #isHearingKnown = true;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#preferences = parts.preferences;
    this.#ice = new IceServers(parts.fetchIceServers);
    this.sound = new Sound(parts.preferences, {
      onSpeaking: () => this.#voice.changeSpeaking(),
      onLevel: () => {
        // In a call the others' levels go with it.
        if (!this.#links) this.#tellLevels(new Map());
      },
    });
    this.#attendance = new Attendance({
      store: this.store,
      userId: parts.userId,
      blocked: parts.blocked,
      getLinks: () => this.#links,
      chime: (kind) => {
        if (this.#preferences.sounds) this.sound.chime(kind);
      },
    });
    this.#voice = new OwnVoice({
      store: this.store,
      sound: this.sound,
      getPreferences: () => this.#preferences,
      changeTrack: async () => this.#links?.changeTrack(),
      send: (event, payload) => this.#membership?.send(event, payload),
    });
    this.store.subscribe(() => this.#voice.followSilence());
    this.sound.store.subscribe(() => this.#followMicrophone());
  }

  // --- Joining and leaving -----------------------------------------------------------------------------------------

  /** In the click on Join. `isListening`: without a microphone. `leave` gives it up, also while the browser asks. */
  async join({ isListening }: { isListening: boolean }): Promise<void> {
    const { phase } = this.store.getState();
    if (phase === "joining" || phase === "in") return;
    this.#turn += 1;
    const turn = this.#turn;
    this.#isListening = isListening;
    if (isListening) this.sound.closeMicrophone();
    this.store.dispatch({ type: "join_began" });
    this.#soundFault = this.#openOutput();
    // Who only listens can read and write all the same.
    const fault =
      this.#findMissingId() ??
      (isListening ? undefined : (this.#soundFault ?? (await this.#openMicrophone())));
    if (turn !== this.#turn) return;
    if (fault) {
      this.#fail(fault);
      return;
    }
    this.store.dispatch({ type: "microphone_ready" });
    await this.#makeCertificate();
    if (turn === this.#turn) this.#enter();
  }

  /** A back end of voice alone may say less than is needed. */
  #findMissingId(): CallFault | undefined {
    if (this.#parts.roomId === "") return { kind: "no_room" };
    return this.#parts.userId === "" ? { kind: "no_user" } : undefined;
  }

  /** Browsers with WebRTC or Web Audio switched off, for privacy or by a rule, are used too. */
  #openOutput(): CallFault | undefined {
    if (typeof RTCPeerConnection === "undefined") return { kind: "no_webrtc" };
    try {
      this.sound.openSpeaker();
    } catch (error) {
      console.warn("No output for the call.", error);
      return { kind: "no_output" };
    }
    return undefined;
  }

  async #openMicrophone(): Promise<CallFault | undefined> {
    try {
      await this.sound.openMicrophone();
    } catch (error) {
      return readMicrophoneFault(error);
    }
    return undefined;
  }

  /** What takes its time is made while the person checks their sound. `others`: who are in the room by now. */
  async prepare(others: number): Promise<void> {
    await this.#makeCertificate();
    const isInCall = this.store.getState().phase === "in";
    if (!this.#isClosed && !isInCall && typeof RTCPeerConnection !== "undefined") this.#spares.keep(others);
  }

  #makeCertificate(): Promise<void> {
    const make = async () => {
      try {
        const algorithm: EcKeyGenParams = { name: "ECDSA", namedCurve: "P-256" };
        this.#certificate = await RTCPeerConnection.generateCertificate(algorithm);
      } catch (error) {
        // Each connection then makes its own; only the code over all of them is missing.
        console.warn("No certificate for the call.", error);
      }
    };
    this.#certificateMade ??= make();
    return this.#certificateMade;
  }

  #fail(fault: CallFault): void {
    const { phase } = this.store.getState();
    this.#closeLinks();
    // Behind a join that failed it stays for the sound check; behind a call nobody expects it to be on.
    if (phase === "in") this.sound.closeMicrophone();
    this.store.dispatch({ type: "failed", fault });
  }

  #enter(): void {
    const { socket, roomId } = this.#parts;
    const isMuted = this.#preferences.auto_mute_on_join || this.#preferences.push_to_talk;
    this.#isMutedAtJoin = isMuted;
    this.#joinTimer = setTimeout(() => this.#fail({ kind: this.#findDelay() }), TIMEOUT_MS);
    this.#membership = socket.join(toRoomTopic(roomId), {
      params: () => this.#toJoinPayload(),
      on: this.#createHandlers(),
      onState: (state, answer) => this.#followChannel(state, answer),
    });
    this.#timers = [
      setInterval(() => this.#measure(), MEASURE_EVERY_MS),
      setInterval(() => this.#links?.reportHearing(), HEARING_EVERY_MS),
      setInterval(() => void this.#links?.report(), REPORT_EVERY_MS),
    ];
    window.addEventListener("pagehide", this.#onPageHide, { capture: true });
    window.addEventListener("online", this.#onOnline);
  }

  /** Why nobody has answered in time. */
  #findDelay() {
    const { socket } = this.#parts;
    const status = socket.getStatus();
    if (status === "connected") return "join_timeout";
    if (status === "idle") return "no_token";
    return socket.getFailedTries() > 0 ? "connection_failed" : "connection_timeout";
  }

  /** Another page of the site is up where the file is gone: then nothing but a reload helps. */
  async #openLinks(engine: RoomEngine): Promise<void> {
    if (this.#links || this.#soundFault) return;
    const parts = this.#toLinksParts();
    if (engine === "mesh") {
      this.#links = new Mesh(parts);
      return;
    }
    const membership = this.#membership;
    const loaded = await import("./mixer.ts").catch(() => undefined);
    const state = this.store.getState();
    if (this.#membership !== membership || this.#links || state.phase !== "in") return;
    if (!loaded) {
      this.#fail({ kind: "failed" });
      return;
    }
    this.#links = new loaded.Mixer(parts);
    // Came before the file did.
    if (this.#attendance.isKnown) this.#links.takeRoster(state.people, "", false);
  }

  #toLinksParts(): LinksParts {
    const { userId, displayName } = this.#parts;
    // This site's server knows better; another one of the protocol may pass on what it is given.
    const from = { from_user_id: userId, from_display_name: displayName };
    return {
      settings: () => this.#toLinkSettings(),
      track: () => (this.#voice.isSending ? (this.sound.track ?? null) : null),
      send: ({ event, ...payload }) => this.#membership?.send(event, { ...payload, ...from }),
      speaker: this.sound.openSpeaker(),
      onLink: (userId, link) => this.store.dispatch({ type: "link", userId, link }),
      onQuality: (userId, quality) => this.store.dispatch({ type: "quality", userId, quality }),
      onHearing: (userIds) => void this.#tellHearing(userIds),
      volumeOf: (userId) => this.sound.devices.volumes[userId] ?? 1,
      isMutedForMe: (userId) => this.sound.devices.mutedForMe.includes(userId),
      isBlocked: (userId) => this.#attendance.isApart(userId),
      createLink: (link) =>
        new PeerLink({ ...link, createConnection: (...wanted) => this.#spares.take(...wanted) }),
    };
  }

  #toLinkSettings(): LinkSettings {
    return {
      iceServers: this.#ice.list(),
      isRelayOnly: this.isAddressHidden,
      certificate: this.#certificate,
      maxBitrate: BITRATES[this.#preferences.quality],
    };
  }

  /** The site has a relay, and this person its credentials. Known from the join on. */
  get hasRelay(): boolean {
    return this.#ice.hasRelay;
  }

  /** Whether others get to know a relay's address in place of this browser's. */
  get isAddressHidden(): boolean {
    const { hide_address } = this.#preferences;
    const state = this.store.getState();
    const isPublic = (state.phase === "in" && state.room?.is_public) ?? this.#parts.isPublicRoom;
    const isWanted = hide_address === "always" || (hide_address === "auto" && isPublic);
    return isWanted && this.#ice.hasRelay;
  }

  /** Where `change` hides the address, or shows it, every link looks for a path of that kind. */
  #watchAddress(change: () => void): void {
    const wasHidden = this.isAddressHidden;
    change();
    if (this.isAddressHidden !== wasHidden) this.#links?.checkPaths();
  }

  #toJoinPayload(): object {
    const state = this.store.getState();
    const isMuted = state.phase === "in" ? state.me.isMuted : this.#isMutedAtJoin;
    const seat = this.#participantId && { id: this.#participantId, join_number: this.#joinNumber };
    return {
      room_id: this.#parts.roomId,
      user_id: this.#parts.userId,
      display_name: this.#parts.displayName,
      ...(isMuted && { is_muted: true }),
      ...(state.phase === "in" && { is_muted: isMuted }),
      ...(seat && { seat }),
    };
  }

  #followChannel(state: TopicState, answer: unknown): void {
    const { phase } = this.store.getState();
    if (state === "joined") this.#joined(joinAnswer.parse(answer ?? {}));
    else if (state === "closed") {
      if (phase === "joining") this.#fail(readRefusal(answer));
      // A refused rejoin: banned, closed or deleted meanwhile.
      else if (phase === "in" && answer !== undefined) this.#fail(readRefusal(answer));
      // Without a word: this person has left by another way.
      else if (phase === "in") this.#end({ type: "left" });
    } else if (phase === "in") {
      this.#awayAt ??= performance.now();
      this.store.dispatch({ type: "signalling", signalling: "reconnecting" });
    }
  }

  #joined(answer: JoinAnswer): void {
    clearTimeout(this.#joinTimer);
    this.#awayAt = undefined;
    this.#attendance.begin();
    const state = this.store.getState();
    this.#isBack = state.phase === "in";
    this.#participantId = answer.participant_id ?? this.#participantId ?? this.#parts.userId;
    const isMuted =
      state.phase === "in"
        ? state.me.isMuted
        : this.#isMutedAtJoin || answer.room?.auto_mute_on_join === true;
    const me: OwnState = {
      participantId: this.#participantId,
      userId: this.#parts.userId,
      isMuted,
      isSilenced: false,
      isSpeaking: false,
      isListening: this.#isListening,
    };
    this.#watchAddress(() => {
      this.#ice.take(answer.ice_servers, answer.ice_expires_at);
      this.store.dispatch({
        type: "joined",
        room: answer.room,
        me,
        canModerate: answer.can_moderate,
        soundFault: this.#soundFault,
      });
    });
    void this.#openLinks(answer.room?.engine ?? "mesh");
    this.#membership?.send("join", {});
    void this.#sendReady();
    this.#links?.forgetHearing();
    void this.#voice.changeSending();
  }

  /** Others are told whether there is a microphone: it may be unplugged, and come back. */
  #followMicrophone(): void {
    const { isOpen } = this.sound.store.getState();
    if (isOpen === this.#isMicrophoneTold) return;
    if (this.store.getState().phase === "in") void this.#sendReady();
  }

  async #sendReady(): Promise<void> {
    this.#isMicrophoneTold = this.sound.store.getState().isOpen;
    const ready = {
      protocol_version: VOICE_PROTOCOL,
      devices: { microphone: this.#isMicrophoneTold },
      capabilities: { epochs: true },
    };
    try {
      await this.#membership?.push("ready", ready, NOTHING);
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      // It is said again with the next join.
      if (error.reason !== "timeout" && error.reason !== "not_connected")
        this.store.dispatch({ type: "complaint", text: error.reason });
    }
  }

  #createHandlers() {
    return createRoomHandlers({
      dispatch: this.store.dispatch,
      attendance: this.#attendance,
      getLinks: () => this.#links,
      takeRoster: (participants) => this.#takeRoster(participants),
      takeRoom: (room) => this.#watchAddress(() => this.store.dispatch({ type: "room", room })),
      setMuted: (isMuted) => void this.setMuted(isMuted),
      end: (code) => this.#end({ type: "told", code }),
    });
  }

  #takeRoster(participants: readonly Participant[]): void {
    const { userId } = this.#parts;
    // A server of the documented protocol knows no seats: one's own entry is found by the person.
    const own =
      participants.find(({ id }) => id === this.#participantId) ??
      participants.find(({ user_id }) => user_id === userId);
    if (!own) {
      this.#fail({ kind: "failed" });
      return;
    }
    this.#participantId = own.id;
    this.#joinNumber = own.join_number;
    this.#attendance.takeRoster(participants, own.id, this.#isBack);
    this.#spares.keep(0, REFILL_MS);
    if (this.#isBack) this.#voice.tellAgain();
  }

  /** Leaves for good, as the person asked. */
  leave(): void {
    const state = this.store.getState();
    if (state.phase !== "in" && state.phase !== "joining") return;
    const participantId = this.#participantId;
    this.#end({ type: "left" });
    if (state.phase === "joining" || state.signalling === "connected" || participantId === undefined) return;
    this.#parts.sendLeave(participantId).catch(() => this.store.dispatch({ type: "leave_failed" }));
  }

  #end(event: Extract<RoomEvent, { type: "left" | "told" }>): void {
    const state = this.store.getState();
    this.#closeLinks();
    // They may come back.
    if (state.phase === "in") this.#spares.keep(state.people.length);
    this.sound.closeMicrophone();
    this.store.dispatch(event);
  }

  #closeLinks(): void {
    this.#turn += 1;
    clearTimeout(this.#joinTimer);
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    window.removeEventListener("pagehide", this.#onPageHide, { capture: true });
    window.removeEventListener("online", this.#onOnline);
    const membership = this.#membership;
    this.#membership = undefined;
    this.#links?.close();
    this.#links = undefined;
    this.#participantId = undefined;
    this.#attendance.end();
    membership?.leave();
  }

  /** The page is left: microphone and output too. */
  close(): void {
    this.#isClosed = true;
    this.leave();
    this.#spares.close();
    this.sound.close();
    this.#levelListeners.clear();
  }

  /** Before the client of the protocol closes the connection: else the seat would be kept for 20 s, as for a lost one. */
  #onPageHide = ({ persisted }: PageTransitionEvent) => {
    // Before there is a seat, leaving would free that of another tab.
    if (persisted || this.#participantId === undefined) return;
    this.#membership?.send("leave", {});
    // Behind the message, in case that is lost. Nobody is there any more to hear of a failure.
    this.#parts.sendLeave(this.#participantId).catch(() => undefined);
  };

  #onOnline = () => this.#links?.checkPaths();

  // --- What one says -----------------------------------------------------------------------------------------------

  setMuted(isMuted: boolean): Promise<void> {
    return this.#voice.setMuted(isMuted);
  }

  /** Push to talk: while the key is held. */
  setPushed(isPushed: boolean): Promise<void> {
    return this.#voice.setPushed(isPushed);
  }

  /** From listening to speaking, or back. Rejects as `getUserMedia` does. */
  async setListening(isListening: boolean): Promise<void> {
    if (isListening) this.sound.closeMicrophone();
    else if (this.#soundFault) throw new Error(this.#soundFault.kind);
    else await this.sound.openMicrophone();
    this.#isListening = isListening;
    this.store.dispatch({ type: "own", change: { isListening } });
    // With a key to hold, nobody speaks before they hold it.
    if (!isListening && this.#preferences.push_to_talk) await this.setMuted(true);
    await this.#voice.changeSending();
  }

  /** @throws PushError with the reason; what was typed stays with the caller. */
  async sendText(text: string): Promise<void> {
    if (!this.#membership) throw new PushError("not_connected");
    await this.#membership.push("text", { text }, NOTHING);
  }

  async #tellHearing(userIds: readonly string[]): Promise<void> {
    if (!this.#isHearingKnown || !this.#membership) return;
    try {
      await this.#membership.push("hearing", { user_ids: userIds }, NOTHING);
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      if (error.reason === "unknown_event_type") {
        this.#isHearingKnown = false;
        this.store.dispatch({ type: "hearing_unknown" });
      } else this.#links?.forgetHearing();
    }
  }

  // --- How one hears others ----------------------------------------------------------------------------------------

  setPersonVolume(userId: string, volume: number): void {
    this.sound.remember({ volumes: { ...this.sound.devices.volumes, [userId]: volume } });
    this.#links?.changeVolume(userId);
  }

  setMutedForMe(userId: string, isMuted: boolean): void {
    const others = this.sound.devices.mutedForMe.filter((known) => known !== userId);
    this.sound.remember({ mutedForMe: isMuted ? [...others, userId] : others });
    this.#links?.changeVolume(userId);
  }

  /** Nothing passes between the two from now on, or does again. */
  setBlocked(userId: string, isBlocked: boolean): void {
    this.#attendance.setBlocked(userId, isBlocked);
  }

  /** In a mix nobody is blocked, nor muted for oneself: all of it is one sound. */
  isBlocked(userId: string): boolean {
    return this.#links instanceof Mesh && this.#attendance.isBlocked(userId);
  }

  isMutedForMe(userId: string): boolean {
    return this.#links instanceof Mesh && this.sound.devices.mutedForMe.includes(userId);
  }

  retry(userId: string): void {
    this.#links?.retry(userId);
  }

  /** Lets sound out that the browser holds back: in a click. */
  async resume(): Promise<void> {
    await this.sound.resume();
    this.#links?.reportHearing();
  }

  // --- Settings, figures -------------------------------------------------------------------------------------------

  /** The profile's preferences act at once. Rejects as `getUserMedia` does where the device has to be opened anew. */
  async changePreferences(next: VoicePreferences): Promise<void> {
    const before = this.#preferences;
    this.#watchAddress(() => {
      this.#preferences = next;
    });
    if (next.quality !== before.quality) this.#links?.changeBitrate();
    if (next.push_to_talk && !before.push_to_talk) await this.setMuted(true);
    await this.sound.changePreferences(next);
    await this.#voice.changeSending();
  }

  /** Ten times a second while the microphone or a call is on. */
  listenToLevels(listener: (levels: Levels) => void): () => void {
    this.#levelListeners.add(listener);
    return () => this.#levelListeners.delete(listener);
  }

  #tellLevels(others: ReadonlyMap<string, number>): void {
    const levels = new Map([["own", this.sound.level]]);
    for (const [userId, level] of others) levels.set(userId, toLevelPercent(level));
    for (const listener of [...this.#levelListeners]) listener(levels);
  }

  #measure(): void {
    if (this.#links) {
      this.#tellLevels(this.#links.measure());
      void this.#ice.renew();
    }
    const state = this.store.getState();
    if (state.phase !== "in" || state.signalling !== "reconnecting") return;
    const awayMs = performance.now() - (this.#awayAt ?? performance.now());
    if (awayMs > STALLED_MS && this.#parts.socket.getFailedTries() >= MAX_TRIES)
      this.store.dispatch({ type: "signalling", signalling: "stalled" });
  }

  /** Undefined also where two are apart: what they read aloud would differ, with nobody in between. */
  listFingerprints(): string[] | undefined {
    const state = this.store.getState();
    const isApart = ({ user_id }: Participant) => this.#attendance.isApart(user_id);
    if (state.phase === "in" && state.people.some(isApart)) return undefined;
    return this.#links?.listFingerprints();
  }
}
