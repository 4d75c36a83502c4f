/** Loudness that the scale begins and ends with, in dBFS. */
const FLOOR_DB = -60;
const CEILING_DB = -10;

/** Root mean square of samples between −1 and 1. */
export function toRms(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}

/** Per cent of the scale from −60 to −10 dBFS. The plain mean of a spectrum calls faint hiss speech (spec/decisions.md). */
export function toLevelPercent(rms: number): number {
  if (rms <= 0) return 0;
  const share = (20 * Math.log10(rms) - FLOOR_DB) / (CEILING_DB - FLOOR_DB);
  return Math.round(100 * Math.min(1, Math.max(0, share)));
}

/** The level at which speaking stops, for one at which it starts: 15 for 25. */
export function toStopPercent(startPercent: number): number {
  return Math.round(startPercent * 0.6);
}

/** Silence that lasts shorter than this is a pause between words. */
export const HOLD_MS = 300;

/** Decides whether somebody speaks. Opens at the start level; closes when it has been below the stop level for `HOLD_MS`. */
export class SpeakingGate {
  isOpen = false;
  #quietSince: number | undefined;

  /** @returns whether it is another state now. */
  take(levelPercent: number, startPercent: number, nowMs: number): boolean {
    if (!this.isOpen) {
      this.isOpen = levelPercent >= startPercent;
      this.#quietSince = undefined;
      return this.isOpen;
    }
    if (levelPercent >= toStopPercent(startPercent)) {
      this.#quietSince = undefined;
      return false;
    }
    this.#quietSince ??= nowMs;
    if (nowMs - this.#quietSince < HOLD_MS) return false;
    this.close();
    return true;
  }

  close(): void {
    this.isOpen = false;
    this.#quietSince = undefined;
  }
}

/** What of the profile's preferences shapes one's own sound. */
export interface MicrophoneSettings {
  /** Of `enumerateDevices`; undefined: the browser's own choice. */
  deviceId: string | undefined;
  echoCancellation: boolean;
  noiseSuppression: boolean;
  /** 0 to 2. */
  gain: number;
  /** Per cent at which speaking starts. */
  sensitivity: number;
}

export interface MicrophoneEvents {
  /** The person begins or stops to speak, as the gate hears it; muted or not. */
  onSpeaking(isSpeaking: boolean): void;
  /** Every tenth of a second: per cent. */
  onLevel(levelPercent: number): void;
  /** For so long nothing at all has come in: a switch at the device, or the wrong one. */
  onSilent(isSilent: boolean): void;
  /** The device is gone. */
  onLost(): void;
}

/** Specification B section 9. */
const FFT_SIZE = 256;
const SMOOTHING = 0.8;
const LEVEL_EVERY_MS = 100;
/** The gate is asked more often, so that the beginning of a word is not cut. */
const GATE_EVERY_MS = 20;
/** A device that works has some noise of its own. */
const SILENT_AFTER_MS = 5000;

function toConstraints(settings: MicrophoneSettings): MediaTrackConstraints {
  return {
    echoCancellation: settings.echoCancellation,
    noiseSuppression: settings.noiseSuppression,
    autoGainControl: true,
    channelCount: 1,
    ...(settings.deviceId !== undefined && { deviceId: { exact: settings.deviceId } }),
  };
}

const request = (settings: MicrophoneSettings) =>
  navigator.mediaDevices.getUserMedia({ audio: toConstraints(settings) });

/** One's own microphone: device → gain → meter and the track that goes out. Muted, it goes on measuring. */
export class Microphone {
  /** What others are sent. It stays the same when the device changes. */
  readonly track: MediaStreamTrack;
  readonly #context: AudioContext;
  readonly #gain: GainNode;
  readonly #analyser: AnalyserNode;
  readonly #events: MicrophoneEvents;
  readonly #gate = new SpeakingGate();
  readonly #samples = new Float32Array(new ArrayBuffer(FFT_SIZE * 4));
  readonly #timer: ReturnType<typeof setInterval>;
  /** Of the device that is used: what was refused is none of them. */
  #settings: MicrophoneSettings;
  #stream: MediaStream;
  #source: MediaStreamAudioSourceNode;
  #rmsSum = 0;
  #rmsCount = 0;
  #levelAt = 0;
  #heardAt = performance.now();
  #isSilent = false;
  #isClosed = false;

  /** Asks for the microphone. Rejects as `getUserMedia` does. */
  static async open(
    context: AudioContext,
    settings: MicrophoneSettings,
    events: MicrophoneEvents,
  ): Promise<Microphone> {
    try {
      return new Microphone(context, await request(settings), settings, events);
    } catch (error) {
      // The one that was chosen may be at home, or in another computer.
      if ((error as Error).name !== "OverconstrainedError" || settings.deviceId === undefined) throw error;
      return Microphone.open(context, { ...settings, deviceId: undefined }, events);
    }
  }

  private constructor(
    context: AudioContext,
    stream: MediaStream,
    settings: MicrophoneSettings,
    events: MicrophoneEvents,
  ) {
    this.#context = context;
    this.#settings = settings;
    this.#events = events;
    this.#stream = stream;
    this.#gain = context.createGain();
    this.#gain.gain.value = settings.gain;
    this.#analyser = context.createAnalyser();
    this.#analyser.fftSize = FFT_SIZE;
    this.#analyser.smoothingTimeConstant = SMOOTHING;
    const destination = context.createMediaStreamDestination();
    destination.channelCount = 1;
    this.#gain.connect(this.#analyser);
    this.#gain.connect(destination);
    const [track] = destination.stream.getAudioTracks();
    if (!track) throw new Error("a destination of sound has no track");
    this.track = track;
    this.#source = this.#plug(stream);
    this.#timer = setInterval(() => this.#measure(), GATE_EVERY_MS);
  }

  get isSpeaking(): boolean {
    return this.#gate.isOpen;
  }

  /** The device is there. */
  get isLive(): boolean {
    return this.#stream.getAudioTracks().some(({ readyState }) => readyState === "live");
  }

  /** Of the device that is used; undefined: the browser has chosen it. */
  get deviceId(): string | undefined {
    return this.#settings.deviceId;
  }

  #plug(stream: MediaStream): MediaStreamAudioSourceNode {
    const source = this.#context.createMediaStreamSource(stream);
    source.connect(this.#gain);
    for (const track of stream.getAudioTracks()) track.onended = () => this.#events.onLost();
    return source;
  }

  #unplug(): void {
    this.#source.disconnect();
    for (const track of this.#stream.getTracks()) {
      track.onended = null;
      track.stop();
    }
  }

  #measure(): void {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const rms = toRms(this.#samples);
    const now = performance.now();
    this.#rmsSum += rms;
    this.#rmsCount += 1;
    this.#watchSilence(rms, now);
    if (this.#gate.take(toLevelPercent(rms), this.#settings.sensitivity, now))
      this.#events.onSpeaking(this.#gate.isOpen);
    if (now - this.#levelAt < LEVEL_EVERY_MS) return;
    this.#events.onLevel(toLevelPercent(this.#rmsSum / this.#rmsCount));
    this.#levelAt = now;
    this.#rmsSum = 0;
    this.#rmsCount = 0;
  }

  #watchSilence(rms: number, now: number): void {
    if (rms > 0) this.#heardAt = now;
    const isSilent = now - this.#heardAt > SILENT_AFTER_MS && this.#settings.gain > 0;
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    this.#events.onSilent(isSilent);
  }

  /**
   * Takes new settings; another device, or another way of cleaning, opens the device anew. Rejects as `getUserMedia` does: then
   * the former device goes on, as it was.
   */
  async change(next: Partial<MicrophoneSettings>): Promise<void> {
    const before = this.#settings;
    const wanted = { ...before, ...next };
    const { gain, sensitivity, deviceId, echoCancellation, noiseSuppression } = wanted;
    this.#settings = { ...before, gain, sensitivity };
    this.#gain.gain.setTargetAtTime(gain, this.#context.currentTime, 0.01);
    const isSameDevice =
      deviceId === before.deviceId &&
      echoCancellation === before.echoCancellation &&
      noiseSuppression === before.noiseSuppression;
    if (isSameDevice && this.isLive) return;
    const stream = await request(wanted);
    if (this.#isClosed) {
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    this.#settings = { ...this.#settings, deviceId, echoCancellation, noiseSuppression };
    this.#unplug();
    this.#stream = stream;
    this.#source = this.#plug(stream);
    this.#heardAt = performance.now();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unplug();
    this.#gain.disconnect();
    this.track.stop();
  }
}
