import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import { createStore, type Store } from "../store.ts";
import { Microphone, type MicrophoneSettings } from "./microphone.ts";
import { type DeviceSettings, readDeviceSettings, Speaker, writeDeviceSettings } from "./speaker.ts";

/** What the microphone reports beside its level. */
export interface MicrophoneState {
  /** It is on. Else nobody asked for it, or, where `wasLost` stands too, none is left. */
  isOpen: boolean;
  /** Nothing at all comes in. */
  isSilent: boolean;
  /** The one that was used is gone; while `isOpen` stands, another one is used. */
  wasLost: boolean;
  /** Which one is used; undefined: the browser has chosen it, also where the person's choice isn't there. */
  deviceId: string | undefined;
  /** Of the output, likewise. */
  outputId?: string | undefined;
}

const CHIME_EVERY_MS = 1000;

/** Microphone and output of a page, from the sound check to the end of the call, with what this browser remembers of them. */
export class Sound {
  #devices: DeviceSettings = readDeviceSettings();
  readonly store: Store<MicrophoneState, Partial<MicrophoneState>> = createStore(
    (state: MicrophoneState, change: Partial<MicrophoneState>) => ({ ...state, ...change }),
    {
      isOpen: false,
      isSilent: false,
      wasLost: false,
      deviceId: this.#devices.microphoneId,
      outputId: this.#devices.outputId,
    },
  );
  /** Per cent, of the last tenth of a second. */
  level = 0;
  #preferences: VoicePreferences;
  #speaker: Speaker | undefined;
  #microphone: Microphone | undefined;
  /** Asked for, and not there yet. */
  #opening: Promise<void> | undefined;
  /** False: a microphone that comes now is closed at once, nobody waits for it any more. */
  #isWanted = false;
  /** What changes devices goes one after the other: a choice and a loss may come together. */
  #work: Promise<void> = Promise.resolve();
  #chimedAt = Number.NEGATIVE_INFINITY;
  readonly #onSpeaking: (isSpeaking: boolean) => void;
  readonly #onLevel: () => void;

  constructor(
    preferences: VoicePreferences,
    events: { onSpeaking: (isSpeaking: boolean) => void; onLevel: () => void },
  ) {
    this.#preferences = preferences;
    this.#onSpeaking = events.onSpeaking;
    this.#onLevel = events.onLevel;
  }

  get devices(): DeviceSettings {
    return this.#devices;
  }

  get isSpeaking(): boolean {
    return this.#microphone?.isSpeaking ?? false;
  }

  get track(): MediaStreamTrack | undefined {
    return this.#microphone?.track;
  }

  /** The browser holds sound back until somebody clicks. */
  get isBlocked(): boolean {
    return this.#speaker !== undefined && !this.#speaker.isRunning;
  }

  /** The one output of the page. Called in a click where possible: browsers keep a context silent that none has made. */
  openSpeaker(): Speaker {
    this.#speaker ??= this.#createSpeaker();
    void this.#speaker.context.resume();
    return this.#speaker;
  }

  #createSpeaker(): Speaker {
    const speaker = new Speaker(new AudioContext({ latencyHint: "interactive" }));
    speaker.setVolume(this.#preferences.volume);
    const { outputId } = this.#devices;
    if (outputId !== undefined) {
      speaker.setOutput(outputId).catch((error: unknown) => {
        console.warn("The output is not there.", error);
        this.store.dispatch({ outputId: undefined });
      });
    }
    // A page without https has none.
    navigator.mediaDevices?.addEventListener("devicechange", this.#followDevices);
    return speaker;
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#work.then(step);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** A device is gone, or has come: what was chosen is used where it is there, else what the browser gives. */
  readonly #followDevices = (): void => {
    const follow = async () => {
      const all = await navigator.mediaDevices.enumerateDevices();
      const { microphoneId, outputId } = this.#devices;
      const find = (id: string | undefined) => (all.some(({ deviceId }) => deviceId === id) ? id : undefined);
      // Browsers that don't say which ones there are give them without ids.
      if (all.every(({ kind, deviceId }) => kind !== "audiooutput" || deviceId !== ""))
        await this.#takeOutput(find(outputId));
      await this.#takeMicrophone(find(microphoneId));
    };
    this.#inTurn(follow).catch((error: unknown) => console.warn("The devices could not be followed.", error));
  };

  async #takeOutput(outputId: string | undefined): Promise<void> {
    if (!this.#speaker || outputId === this.store.getState().outputId) return;
    await this.#speaker.setOutput(outputId ?? "");
    this.store.dispatch({ outputId });
  }

  async #takeMicrophone(deviceId: string | undefined): Promise<void> {
    const microphone = this.#microphone;
    // What the browser has chosen stays while it works.
    if (!microphone || (microphone.isLive && (deviceId ?? microphone.deviceId) === microphone.deviceId))
      return;
    try {
      await microphone.change({ ...this.#toMicrophoneSettings(), deviceId });
    } catch (error) {
      console.warn("A microphone could not be taken.", error);
      if (deviceId !== undefined && !microphone.isLive) return this.#takeMicrophone(undefined);
    }
    // Closed meanwhile.
    if (microphone !== this.#microphone) return;
    const { isOpen, wasLost } = this.store.getState();
    const { isLive } = microphone;
    const { microphoneId } = this.#devices;
    const isBack = isLive && microphone.deviceId === microphoneId && (!isOpen || microphoneId !== undefined);
    this.store.dispatch({ isOpen: isLive, wasLost: wasLost && !isBack, deviceId: microphone.deviceId });
  }

  /** Lets sound out that the browser holds back: in a click. */
  async resume(): Promise<void> {
    await this.#speaker?.context.resume();
  }

  /** Turns the microphone on, once for all who ask. Rejects as `getUserMedia` does; `readMicrophoneFault` reads it. */
  openMicrophone(): Promise<void> {
    if (this.#microphone?.isLive) return Promise.resolve();
    this.closeMicrophone();
    this.#isWanted = true;
    this.#opening ??= this.#askForMicrophone().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #askForMicrophone(): Promise<void> {
    const { context } = this.openSpeaker();
    const settings = { ...this.#toMicrophoneSettings(), deviceId: this.#devices.microphoneId };
    const microphone = await Microphone.open(context, settings, {
      onSpeaking: this.#onSpeaking,
      onLevel: (level) => {
        this.level = level;
        this.#onLevel();
      },
      onSilent: (isSilent) => this.store.dispatch({ isSilent }),
      onLost: () => {
        this.store.dispatch({ wasLost: true });
        this.#followDevices();
      },
    });
    if (!this.#isWanted) {
      microphone.close();
      return;
    }
    // A microphone that is captured is leave enough to play, too.
    void context.resume();
    this.#microphone = microphone;
    this.store.dispatch({ isOpen: true, wasLost: false, deviceId: microphone.deviceId });
  }

  #toMicrophoneSettings(): Omit<MicrophoneSettings, "deviceId"> {
    const { echo_cancellation, noise_suppression, microphone_gain, sensitivity } = this.#preferences;
    return {
      echoCancellation: echo_cancellation,
      noiseSuppression: noise_suppression,
      gain: microphone_gain,
      sensitivity,
    };
  }

  /** Rejects as `getUserMedia` does; then the former device goes on. */
  chooseMicrophone(deviceId: string | undefined): Promise<void> {
    return this.#inTurn(async () => {
      await this.#microphone?.change({ ...this.#toMicrophoneSettings(), deviceId });
      this.remember({ microphoneId: deviceId });
      this.store.dispatch({ isOpen: this.#microphone !== undefined, wasLost: false, deviceId });
    });
  }

  /** Rejects where the device is gone, or not allowed. */
  chooseOutput(outputId: string | undefined): Promise<void> {
    const speaker = this.openSpeaker();
    return this.#inTurn(async () => {
      await speaker.setOutput(outputId ?? "");
      this.remember({ outputId });
      this.store.dispatch({ outputId });
    });
  }

  remember(change: Partial<DeviceSettings>): void {
    this.#devices = { ...this.#devices, ...change };
    writeDeviceSettings(this.#devices);
  }

  /** A sound of the page's own; before anybody let sound out there is none. Of comings and goings one a second. */
  chime(kind: "in" | "out" | "test"): void {
    const now = performance.now();
    if (kind === "test") this.openSpeaker();
    else if (now - this.#chimedAt < CHIME_EVERY_MS) return;
    else this.#chimedAt = now;
    this.#speaker?.chime(kind);
  }

  /** Rejects as `getUserMedia` does where the device has to be opened anew. */
  async changePreferences(next: VoicePreferences): Promise<void> {
    this.#preferences = next;
    this.#speaker?.setVolume(next.volume);
    await this.#inTurn(async () => {
      // One that is gone takes them when it is back.
      if (this.#microphone?.isLive) await this.#microphone.change(this.#toMicrophoneSettings());
    });
  }

  /** The light goes out; one that was asked for, and isn't there yet, never goes on. */
  closeMicrophone(): void {
    this.#isWanted = false;
    this.#microphone?.close();
    this.#microphone = undefined;
    this.level = 0;
    const { microphoneId } = this.#devices;
    this.store.dispatch({ isOpen: false, isSilent: false, wasLost: false, deviceId: microphoneId });
  }

  close(): void {
    this.closeMicrophone();
    navigator.mediaDevices?.removeEventListener("devicechange", this.#followDevices);
    void this.#speaker?.context.close();
    this.#speaker = undefined;
  }
}
