import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import type { InRoom, RoomEvent, RoomState } from "../room-state.ts";
import type { Store } from "../store.ts";
import type { Sound } from "./sound.ts";

export interface OwnVoiceDeps {
  store: Store<RoomState, RoomEvent>;
  sound: Pick<Sound, "isSpeaking">;
  getPreferences: () => VoicePreferences;
  /** Every link takes what goes out now. */
  changeTrack: () => Promise<void>;
  send: (event: string, payload: object) => void;
}

/** A browser may never settle the change of a track whose connection ended meanwhile: the word of it goes out all the same. */
const CHANGE_TRACK_MS = 500;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether the person is heard: their microphone's gate, mutes by themselves and by moderators, and the key of push to talk. */
export class OwnVoice {
  readonly #deps: OwnVoiceDeps;
  #isPushed = false;
  #wasSilenced = false;

  constructor(deps: OwnVoiceDeps) {
    this.#deps = deps;
  }

  get #room(): InRoom | undefined {
    const state = this.#deps.store.getState();
    return state.phase === "in" ? state : undefined;
  }

  get isSending(): boolean {
    const me = this.#room?.me;
    if (!me || me.isSilenced || me.isListening) return false;
    if (this.#deps.getPreferences().push_to_talk) return this.#isPushed;
    return !me.isMuted && this.#deps.sound.isSpeaking;
  }

  /** What goes out first, then the message of it: a browser that is notified that somebody speaks, hears them. */
  async changeSending(): Promise<void> {
    if (!this.#room) return;
    await Promise.race([this.#deps.changeTrack(), sleep(CHANGE_TRACK_MS)]);
    const isSpeaking = this.isSending;
    if (!this.#room || isSpeaking === this.#room.me.isSpeaking) return;
    this.#deps.store.dispatch({ type: "own", change: { isSpeaking } });
    this.#deps.send("speaking", { is_speaking: isSpeaking });
  }

  /** The microphone's gate has opened or closed. */
  changeSpeaking(): void {
    const room = this.#room;
    if (!room) return;
    void this.changeSending();
    const { auto_mute, push_to_talk } = this.#deps.getPreferences();
    if (!this.#deps.sound.isSpeaking && auto_mute && !room.me.isMuted && !push_to_talk)
      void this.setMuted(true);
  }

  /** A moderator's word changes what goes out too; it comes with the roster. */
  followSilence(): void {
    const isSilenced = this.#room?.me.isSilenced ?? false;
    if (isSilenced === this.#wasSilenced) return;
    this.#wasSilenced = isSilenced;
    void this.changeSending();
  }

  async setMuted(isMuted: boolean): Promise<void> {
    if (!this.#room || this.#room.me.isMuted === isMuted) return;
    // By another way than the key: it then counts as held until it is muted again.
    this.#isPushed = !isMuted;
    this.#deps.store.dispatch({ type: "own", change: { isMuted } });
    await this.changeSending();
    this.#publishMuted(isMuted);
  }

  #publishMuted(isMuted: boolean): void {
    this.#deps.send(isMuted ? "mute" : "unmute", {});
  }

  /** Push to talk: while the key is held. */
  async setPushed(isPushed: boolean): Promise<void> {
    if (!this.#deps.getPreferences().push_to_talk || this.#isPushed === isPushed) return;
    this.#isPushed = isPushed;
    await this.setMuted(!isPushed);
  }

  /** What was changed while nothing could be published. */
  publishAgain(): void {
    const me = this.#room?.me;
    if (!me) return;
    this.#publishMuted(me.isMuted);
    if (me.isSpeaking) this.#deps.send("speaking", { is_speaking: true });
  }
}
