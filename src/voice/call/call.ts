import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import type { Participant } from "#contract/voice/room-channel.ts";
import { PushError } from "#providers/socket/topic.ts";
import { Attendance } from "./attendance.ts";
import type { CallContext, CallDeps } from "./call-deps.ts";
import { readMicrophoneFault } from "./faults.ts";
import { CallLinks } from "./links/call-links.ts";
import { Mesh } from "./links/mesh.ts";
import { type CallFault, OUTSIDE, type RoomEvent, type RoomState, reduceRoom } from "./room-state.ts";
import { toLevelPercent } from "./sound/microphone.ts";
import { OwnVoice } from "./sound/own-voice.ts";
import { Sound } from "./sound/sound.ts";
import { Stay } from "./stay.ts";
import { createStore, type Store } from "./store.ts";

/** Ten times a second: levels in per cent, by the person's number; one's own under `own`. */
export type Levels = ReadonlyMap<string, number>;

/**
 * A person's call in one room: microphone, channel, links, and the state that the screen draws. Everything that React does
 * not need to know is here; everything that it draws is in `store` and `levels`.
 */
export class Call {
  readonly store: Store<RoomState, RoomEvent> = createStore(reduceRoom, OUTSIDE);
  readonly sound: Sound;
  readonly #context: CallContext;
  #preferences: VoicePreferences;
  readonly #attendance: Attendance;
  readonly #voice: OwnVoice;
  readonly #links: CallLinks;
  #stay: Stay | undefined;
  /** The page is left. */
  #isClosed = false;
  /** Counts joins and ends: a join that was given up in between goes no further. */
  #turn = 0;
  /** Why no link is made in this call. */
  #soundFault: CallFault | undefined;
  #levelListeners = new Set<(levels: Levels) => void>();

  constructor(deps: CallDeps) {
    this.#preferences = deps.preferences;
    const send = (event: string, payload: object) => this.#stay?.send(event, payload);
    const getPreferences = () => this.#preferences;
    const getLinks = () => this.#links.current;
    const { store } = this;
    const sound = new Sound(deps.preferences, {
      onSpeaking: () => this.#voice.changeSpeaking(),
      onLevel: () => {
        // In a call the others' levels go with it.
        if (!getLinks()) this.#publishLevels(new Map());
      },
    });
    this.sound = sound;
    this.#attendance = new Attendance({
      store,
      userId: deps.userId,
      blocked: deps.blocked,
      getLinks,
      chime: (kind) => {
        if (this.#preferences.sounds) sound.chime(kind);
      },
    });
    const changeTrack = async () => getLinks()?.changeTrack();
    this.#voice = new OwnVoice({ store, sound, getPreferences, changeTrack, send });
    this.#context = {
      ...deps,
      store,
      sound,
      attendance: this.#attendance,
      voice: this.#voice,
      getPreferences,
      send,
      onLevels: (levels) => this.#publishLevels(levels),
      onHearing: (userIds) => void this.#stay?.publishHearing(userIds),
      fail: (fault) => this.#fail(fault),
      end: (event) => this.#end(event),
    };
    this.#links = new CallLinks(this.#context);
    store.subscribe(() => this.#voice.followSilence());
  }

  // --- Joining and leaving -----------------------------------------------------------------------------------------

  /** In the click on Join. `isListening`: without a microphone. `leave` gives it up, also while the browser asks. */
  async join({ isListening }: { isListening: boolean }): Promise<void> {
    const { phase } = this.store.getState();
    if (phase === "joining" || phase === "in") return;
    this.#turn += 1;
    const turn = this.#turn;
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
    await this.#links.makeCertificate();
    if (turn === this.#turn) this.#enter(isListening);
  }

  /** A back end of voice alone may say less than is needed. */
  #findMissingId(): CallFault | undefined {
    if (this.#context.roomId === "") return { kind: "no_room" };
    return this.#context.userId === "" ? { kind: "no_user" } : undefined;
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
    await this.#links.makeCertificate();
    const isInCall = this.store.getState().phase === "in";
    if (!this.#isClosed && !isInCall && typeof RTCPeerConnection !== "undefined")
      this.#links.spares.keep(others);
  }

  #enter(isListening: boolean): void {
    const deps = { links: this.#links, isListening, soundFault: this.#soundFault };
    this.#stay = new Stay({ ...this.#context, ...deps });
  }

  #fail(fault: CallFault): void {
    const { phase } = this.store.getState();
    this.#endStay();
    // Behind a join that failed it stays for the sound check; behind a call nobody expects it to be on.
    if (phase === "in") this.sound.closeMicrophone();
    this.store.dispatch({ type: "failed", fault });
  }

  /** The site has a relay, and this person its credentials. Known from the join on. */
  get hasRelay(): boolean {
    return this.#links.relays.hasRelay;
  }

  /** Whether others get to know a relay's address in place of this browser's. */
  get isAddressHidden(): boolean {
    return this.#links.isAddressHidden;
  }

  /** Leaves for good, as the person asked. */
  leave(): void {
    const state = this.store.getState();
    if (state.phase !== "in" && state.phase !== "joining") return;
    const participantId = this.#stay?.participantId;
    this.#end({ type: "left" });
    if (state.phase === "joining" || state.signalling === "connected" || participantId === undefined) return;
    this.#context.sendLeave(participantId).catch(() => this.store.dispatch({ type: "leave_failed" }));
  }

  #end(event: Extract<RoomEvent, { type: "left" | "ended" }>): void {
    const state = this.store.getState();
    this.#endStay();
    // They may come back.
    if (state.phase === "in") this.#links.spares.keep(state.people.length);
    this.sound.closeMicrophone();
    this.store.dispatch(event);
  }

  #endStay(): void {
    this.#turn += 1;
    const stay = this.#stay;
    this.#stay = undefined;
    this.#links.close();
    stay?.close();
  }

  /** The page is left: microphone and output too. */
  close(): void {
    this.#isClosed = true;
    this.leave();
    this.#links.spares.close();
    this.sound.close();
    this.#levelListeners.clear();
  }

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
    this.store.dispatch({ type: "own", change: { isListening } });
    // With a key to hold, nobody speaks before they hold it.
    if (!isListening && this.#preferences.push_to_talk) await this.setMuted(true);
    await this.#voice.changeSending();
  }

  /** @throws PushError with the reason; what was typed stays with the caller. */
  async sendText(text: string): Promise<void> {
    if (!this.#stay) throw new PushError("not_connected");
    await this.#stay.sendText(text);
  }

  // --- How one hears others ----------------------------------------------------------------------------------------

  setPersonVolume(userId: string, volume: number): void {
    this.sound.remember({ volumes: { ...this.sound.devices.volumes, [userId]: volume } });
    this.#links.current?.changeVolume(userId);
  }

  setMutedForMe(userId: string, isMuted: boolean): void {
    const others = this.sound.devices.mutedForMe.filter((known) => known !== userId);
    this.sound.remember({ mutedForMe: isMuted ? [...others, userId] : others });
    this.#links.current?.changeVolume(userId);
  }

  /** Nothing passes between the two from now on, or does again. */
  setBlocked(userId: string, isBlocked: boolean): void {
    this.#attendance.setBlocked(userId, isBlocked);
  }

  /** In a mix nobody is blocked, nor muted for oneself: all of it is one sound. */
  isBlocked(userId: string): boolean {
    return this.#links.current instanceof Mesh && this.#attendance.isBlocked(userId);
  }

  isMutedForMe(userId: string): boolean {
    return this.#links.current instanceof Mesh && this.sound.devices.mutedForMe.includes(userId);
  }

  retry(userId: string): void {
    this.#links.current?.retry(userId);
  }

  /** Lets sound out that the browser holds back: in a click. */
  async resume(): Promise<void> {
    await this.sound.resume();
    this.#links.current?.reportHearing();
  }

  // --- Settings, figures -------------------------------------------------------------------------------------------

  /** The profile's preferences act at once. Rejects as `getUserMedia` does where the device has to be opened anew. */
  async changePreferences(next: VoicePreferences): Promise<void> {
    const before = this.#preferences;
    this.#links.watchAddress(() => {
      this.#preferences = next;
    });
    if (next.quality !== before.quality) this.#links.current?.changeBitrate();
    if (next.push_to_talk && !before.push_to_talk) await this.setMuted(true);
    await this.sound.changePreferences(next);
    await this.#voice.changeSending();
  }

  /** Ten times a second while the microphone or a call is on. */
  listenToLevels(listener: (levels: Levels) => void): () => void {
    this.#levelListeners.add(listener);
    return () => this.#levelListeners.delete(listener);
  }

  #publishLevels(others: ReadonlyMap<string, number>): void {
    const levels = new Map([["own", this.sound.level]]);
    for (const [userId, level] of others) levels.set(userId, toLevelPercent(level));
    for (const listener of [...this.#levelListeners]) listener(levels);
  }

  /** Undefined also where two are apart: what they read aloud would differ, with nobody in between. */
  listFingerprints(): string[] | undefined {
    const state = this.store.getState();
    const isApart = ({ user_id }: Participant) => this.#attendance.isApart(user_id);
    if (state.phase === "in" && state.people.some(isApart)) return undefined;
    return this.#links.current?.listFingerprints();
  }
}
