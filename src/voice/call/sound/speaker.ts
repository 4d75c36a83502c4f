/** What this browser alone remembers: devices are its own, and so is how loud somebody is on its loudspeaker. */
export interface DeviceSettings {
  /** Undefined: the browser's choice. */
  microphoneId?: string | undefined;
  outputId?: string | undefined;
  /** By the person's number: 0 to 2. */
  volumes: Readonly<Record<string, number>>;
  mutedForMe: readonly string[];
}

const KEY = "foyer_voice";
const MAX_VOLUME = 2;

const toText = (value: unknown) => (typeof value === "string" ? value : undefined);
const isVolume = (value: unknown) => typeof value === "number" && value >= 0 && value <= MAX_VOLUME;

/** By hand, because a schema of a record would cost the log-in page 400 bytes. What is not understood is left out. */
function parseSettings(text: string | null): DeviceSettings {
  const read = Object(JSON.parse(text ?? "{}"));
  const volumes = Object.entries(Object(read.volumes)).filter(([, value]) => isVolume(value));
  return {
    microphoneId: toText(read.microphoneId),
    outputId: toText(read.outputId),
    volumes: Object.fromEntries(volumes) as Record<string, number>,
    mutedForMe: Array.isArray(read.mutedForMe) ? read.mutedForMe.filter(toText) : [],
  };
}

/** What can't be read counts as nothing: storage may be barred, or hold what an older version wrote. */
export function readDeviceSettings(storage: Pick<Storage, "getItem"> = localStorage): DeviceSettings {
  try {
    return parseSettings(storage.getItem(KEY));
  } catch {
    return { volumes: {}, mutedForMe: [] };
  }
}

/** @returns false where the browser keeps nothing; then it holds until the page is left. */
export function writeDeviceSettings(
  settings: DeviceSettings,
  storage: Pick<Storage, "setItem"> = localStorage,
): boolean {
  try {
    storage.setItem(KEY, JSON.stringify(settings));
    return true;
  } catch {
    return false;
  }
}

/** How one person is heard. */
export interface Voice {
  /** 0 to 2, as the listener has set it for this person. */
  setVolume(volume: number): void;
  /** By the listener, or by a moderator. */
  setSilenced(isSilenced: boolean): void;
  close(): void;
}

/** Volumes change within this, so that nothing clicks. Seconds. */
const RAMP_S = 0.02;

/** All others' sound of a call, through one output. The context is made in the click that joins, else browsers keep it silent. */
export class Speaker {
  readonly context: AudioContext;
  readonly #master: GainNode;

  constructor(context: AudioContext) {
    this.context = context;
    this.#master = context.createGain();
    this.#master.connect(context.destination);
  }

  /** The browser lets sound out. */
  get isRunning(): boolean {
    return this.context.state === "running";
  }

  setVolume(volume: number): void {
    this.#master.gain.setTargetAtTime(volume, this.context.currentTime, RAMP_S);
  }

  /** Whether the page can choose where the browser's sound goes. */
  static get canChooseOutput(): boolean {
    return typeof AudioContext !== "undefined" && "setSinkId" in AudioContext.prototype;
  }

  /** Rejects where the device is gone, or not allowed. */
  async setOutput(deviceId: string): Promise<void> {
    // The types of TypeScript are behind.
    const context = this.context as AudioContext & { setSinkId?: (id: string) => Promise<void> };
    await context.setSinkId?.(deviceId);
  }

  play(track: MediaStreamTrack): Voice {
    const { context } = this;
    const stream = new MediaStream([track]);
    // Chromium decodes a stream of a connection only when an element has it too.
    const element = new Audio();
    element.muted = true;
    element.srcObject = stream;
    element.play().catch((error: Error) => {
      // A muted element needs no permission; an element that was closed in the meantime says AbortError.
      if (error.name !== "AbortError") console.warn("A voice could not be started.", error);
    });
    const source = context.createMediaStreamSource(stream);
    const gain = context.createGain();
    source.connect(gain);
    gain.connect(this.#master);
    let volume = 1;
    let isSilenced = false;
    const apply = () => gain.gain.setTargetAtTime(isSilenced ? 0 : volume, context.currentTime, RAMP_S);
    return {
      setVolume(next) {
        volume = next;
        apply();
      },
      setSilenced(next) {
        isSilenced = next;
        apply();
      },
      close() {
        source.disconnect();
        gain.disconnect();
        element.srcObject = null;
      },
    };
  }

  /** Two short tones, up or down: somebody has come or gone. The output's test is three. */
  chime(kind: "in" | "out" | "test"): void {
    const tones = { in: [523, 784], out: [784, 523], test: [523, 659, 784] }[kind];
    const begin = this.context.currentTime;
    tones.forEach((frequency, index) => {
      const oscillator = this.context.createOscillator();
      const envelope = this.context.createGain();
      const from = begin + index * 0.12;
      oscillator.frequency.value = frequency;
      envelope.gain.setValueAtTime(0, from);
      envelope.gain.linearRampToValueAtTime(0.08, from + 0.02);
      envelope.gain.linearRampToValueAtTime(0, from + 0.18);
      oscillator.connect(envelope).connect(this.#master);
      oscillator.start(from);
      oscillator.stop(from + 0.2);
      oscillator.onended = () => envelope.disconnect();
    });
  }
}
