import { jest } from "@jest/globals";

/** A connection that negotiates as browsers do, and goes where its test says. */
class FakeConnection {
  static all: FakeConnection[] = [];
  static generateCertificate = async () => ({}) as RTCCertificate;
  signalingState = "stable";
  connectionState = "new";
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: { type: string; sdp: string } | null = null;
  isClosed = false;
  /** What goes out by it. */
  track: unknown = null;
  ontrack: ((event: { track: unknown }) => void) | null = null;
  onconnectionstatechange: (() => void) | null = null;
  readonly #transceiver = {
    direction: "recvonly",
    sender: {
      replaceTrack: async (track: unknown) => {
        this.track = track;
      },
      getParameters: () => ({ encodings: [{}] }),
      setParameters: async () => undefined,
    },
  };

  configuration: RTCConfiguration;

  constructor(configuration: RTCConfiguration) {
    this.configuration = configuration;
    FakeConnection.all.push(this);
  }
  addTransceiver() {}
  getTransceivers = () => [this.#transceiver];
  getReceivers = () => [];
  getStats = async () => new Map();
  async setLocalDescription(wanted?: { type: string }) {
    if (wanted?.type === "rollback") {
      this.signalingState = "stable";
      return;
    }
    const type = this.signalingState === "have-remote-offer" ? "answer" : "offer";
    this.localDescription = { type, sdp: `v=0 ${type}` };
    this.signalingState = type === "offer" ? "have-local-offer" : "stable";
  }
  async setRemoteDescription(description: { type: string; sdp: string }) {
    this.remoteDescription = description;
    this.signalingState = description.type === "offer" ? "have-remote-offer" : "stable";
  }
  async addIceCandidate() {}
  setConfiguration(configuration: RTCConfiguration) {
    this.configuration = configuration;
  }
  restartIce() {}
  close() {
    this.isClosed = true;
  }
  /** The other end is there, and heard. */
  connect() {
    this.signalingState = "stable";
    this.connectionState = "connected";
    this.onconnectionstatechange?.();
    this.ontrack?.({ track: createTrack() });
  }
  /** The path between the two is gone. */
  disconnect() {
    this.connectionState = "disconnected";
    this.onconnectionstatechange?.();
  }
}

const createTrack = () => ({
  kind: "audio",
  readyState: "live",
  stop() {},
  onended: null as (() => void) | null,
});

class FakeStream {
  readonly tracks: ReturnType<typeof createTrack>[];

  constructor(tracks = [createTrack()]) {
    this.tracks = tracks;
  }
  getTracks = () => this.tracks;
  getAudioTracks = () => this.tracks;
}

/** Loudness at the microphone, 0 to 1. */
const sound = { level: 0 };

class FakeNode {
  gain = { value: 1, setTargetAtTime() {}, setValueAtTime() {}, linearRampToValueAtTime() {} };
  frequency = { value: 0 };
  stream = new FakeStream();
  connect = (next: unknown) => next;
  disconnect() {}
  start() {}
  stop() {}
  getFloatTimeDomainData(samples: Float32Array) {
    samples.fill(sound.level);
  }
}

class FakeContext {
  state = "running";
  currentTime = 0;
  destination = {};
  resume = async () => undefined;
  close = async () => undefined;
  createGain = () => new FakeNode();
  createAnalyser = () => new FakeNode();
  createOscillator = () => new FakeNode();
  createMediaStreamSource = () => new FakeNode();
  createMediaStreamDestination = () => new FakeNode();
}

interface Wanted {
  audio?: { deviceId?: { exact: string } };
}

const toFault = (name: string) => Object.assign(new Error(name), { name });

/** Microphones and loudspeakers at a computer: of each kind the first one is the browser's choice. */
function createDevices(stop: () => void) {
  const changes = new EventTarget();
  const list = { audioinput: ["built-in"], audiooutput: ["loudspeaker"] };
  const used: { deviceId: string; track: ReturnType<typeof createTrack> }[] = [];
  return {
    changes,
    async open({ audio }: Wanted) {
      const wanted = audio?.deviceId?.exact;
      const [first] = list.audioinput;
      if (first === undefined) throw toFault("NotFoundError");
      if (wanted !== undefined && !list.audioinput.includes(wanted)) throw toFault("OverconstrainedError");
      const track = { ...createTrack(), stop };
      used.push({ deviceId: wanted ?? first, track });
      return new FakeStream([track]);
    },
    /** Whose sound comes in now. */
    get live() {
      return used.findLast(({ track }) => track.readyState === "live")?.deviceId;
    },
    async enumerateDevices() {
      return (["audioinput", "audiooutput"] as const).flatMap((kind) =>
        list[kind].map((deviceId) => ({ kind, deviceId })),
      );
    },
    /** Where sound goes; "": the browser's choice. */
    sinkId: "",
    async setSinkId(deviceId: string) {
      if (deviceId !== "" && !list.audiooutput.includes(deviceId)) throw toFault("NotFoundError");
      this.sinkId = deviceId;
    },
    plug(kind: keyof typeof list, deviceId: string) {
      list[kind].push(deviceId);
      changes.dispatchEvent(new Event("devicechange"));
    },
    unplug(kind: keyof typeof list, deviceId: string) {
      list[kind] = list[kind].filter((known) => known !== deviceId);
      for (const { track } of used.filter((one) => one.deviceId === deviceId)) {
        track.readyState = "ended";
        track.onended?.();
      }
      changes.dispatchEvent(new Event("devicechange"));
    },
  };
}

/** Sound and connections of a browser, which jsdom has none of, in a time that its test moves. For the rest of the file. */
export function installTestBrowser() {
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
  FakeConnection.all = [];
  sound.level = 0;
  const stop = jest.fn();
  const devices = createDevices(stop);
  const getUserMedia = jest.fn(devices.open);
  class TestContext extends FakeContext {
    setSinkId = (deviceId: string) => devices.setSinkId(deviceId);
  }
  Object.assign(globalThis, {
    RTCPeerConnection: FakeConnection,
    AudioContext: TestContext,
    MediaStream: FakeStream,
    isSecureContext: true,
  });
  Object.defineProperty(navigator, "mediaDevices", {
    value: Object.assign(devices.changes, { getUserMedia, enumerateDevices: devices.enumerateDevices }),
    configurable: true,
  });
  HTMLMediaElement.prototype.play = async () => undefined;
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  return {
    getUserMedia,
    devices,
    /** The light of the microphone goes out. */
    stopMicrophone: stop,
    connections: FakeConnection.all,
    /** Lets what is under way go on, without time passing. */
    settle: () => pass(0),
    pass,
    /** The person speaks, or stops: longer than a pause between words. */
    speak: async (isSpeaking: boolean) => {
      sound.level = isSpeaking ? 0.5 : 0;
      await pass(500);
    },
  };
}
