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
