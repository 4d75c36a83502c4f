import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { LinkMessage } from "./peer-connection.ts";
import { PeerLink } from "./peer-link.ts";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
});
afterEach(() => {
  jest.useRealTimers();
});

const settle = () => jest.advanceTimersByTimeAsync(0);

/** A connection that negotiates as browsers do, and goes where its test says. */
class FakeConnection {
  static all: FakeConnection[] = [];
  static isStuck = false;
  signalingState = "stable";
  connectionState = "new";
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: { type: string; sdp: string } | null = null;
  isClosed = false;
  restarts = 0;
  candidates: unknown[] = [];
  tracks: unknown[] = [];
  onicecandidate: ((event: { candidate: unknown }) => void) | null = null;
  ontrack: unknown = null;
  onconnectionstatechange: (() => void) | null = null;
  readonly configuration: RTCConfiguration;
  readonly transceiver = {
    direction: "recvonly",
    sender: {
      replaceTrack: async (track: unknown) => void this.tracks.push(track),
      getParameters: () => ({ encodings: [{}] }),
      setParameters: async () => undefined,
    },
  };

  constructor(configuration: RTCConfiguration) {
    this.configuration = configuration;
    FakeConnection.all.push(this);
  }
  addTransceiver(track: unknown) {
    this.tracks.push(track);
    return this.transceiver;
  }
  getTransceivers() {
    return [this.transceiver];
  }
  /** Of a closed connection browsers never settle it. */
  async setLocalDescription() {
    if (FakeConnection.isStuck) await new Promise(() => undefined);
    const type = this.signalingState === "have-remote-offer" ? "answer" : "offer";
    this.localDescription = { type, sdp: `sdp of ${type}` };
    this.signalingState = type === "offer" ? "have-local-offer" : "stable";
  }
  async setRemoteDescription(description: { type: string; sdp: string }) {
    this.remoteDescription = description;
    this.signalingState = description.type === "offer" ? "have-remote-offer" : "stable";
  }
  async addIceCandidate(candidate: unknown) {
    this.candidates.push(candidate);
  }
  getConfiguration() {
    return this.configuration;
  }
  setConfiguration() {}
  restartIce() {
    this.restarts += 1;
  }
  close() {
    this.isClosed = true;
  }
  become(state: string) {
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }
}

function setUp(options: { isOfferer?: boolean } = {}) {
  FakeConnection.all = [];
  FakeConnection.isStuck = false;
  const sent: LinkMessage[] = [];
  const phases: string[] = [];
  const link = new PeerLink({
    settings: () => ({ iceServers: [], isRelayOnly: true, certificate: undefined, maxBitrate: 32_000 }),
    track: () => null,
    send: (message) => sent.push(message),
    onPhase: (phase) => phases.push(phase),
    onTrack: () => undefined,
    isOfferer: options.isOfferer ?? true,
    createConnection: (configuration) => new FakeConnection(configuration) as unknown as RTCPeerConnection,
  });
  const last = () => {
    const connection = FakeConnection.all.at(-1);
    if (!connection) throw new Error("no connection was made");
    return connection;
  };
  const take = (event: LinkMessage["event"], epoch: number | undefined) =>
    link.take(
      event === "ice-candidate"
        ? { event, candidate: { candidate: "candidate:1" }, epoch }
        : { event, description: { type: event, sdp: "theirs" }, epoch },
    );
  /** A link that stands. */
  async function connect() {
    link.connect();
    await settle();
    take("answer", link.epoch);
    await settle();
    last().become("connected");
  }
  return { link, sent, phases, last, take, connect };
}

const eventsOf = (sent: readonly LinkMessage[]) => sent.map(({ event, epoch }) => `${event} ${epoch}`);

describe("who offers", () => {
  test("sends one offer and is connected by its answer", async () => {
    const { link, sent, phases, last, connect } = setUp();
    await connect();
    expect(eventsOf(sent)).toEqual(["offer 1"]);
    expect(phases).toEqual(["connecting", "connected"]);
    expect(link.phase).toBe("connected");
    expect(last().configuration).toMatchObject({ iceTransportPolicy: "relay", iceCandidatePoolSize: 0 });
  });

  test("begins anew with the next epoch when no answer comes, four times, and then says so", async () => {
    const { link, sent, phases } = setUp();
    link.connect();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(eventsOf(sent)).toEqual(["offer 1", "offer 2", "offer 3", "offer 4"]);
    expect(phases).toEqual(["connecting", "unreachable"]);
    expect(FakeConnection.all.every(({ isClosed }) => isClosed)).toBe(true);
    link.connect();
    await settle();
    expect(eventsOf(sent).at(-1)).toBe("offer 5");
  });

  test("begins anew while the former offer is still being made", async () => {
    const { link, sent, take } = setUp({ isOfferer: true });
    FakeConnection.isStuck = true;
    link.connect();
    await settle();
    FakeConnection.isStuck = false;
    link.connect();
    await settle();
    expect(eventsOf(sent)).toEqual(["offer 2"]);
    take("answer", 2);
    await settle();
    take("offer", 2);
    await settle();
    expect(eventsOf(sent)).toEqual(["offer 2", "answer 2"]);
  });

  test("begins anew when an answer leads to no connection", async () => {
    const { link, sent, take } = setUp();
    link.connect();
    await settle();
    take("answer", 1);
    await jest.advanceTimersByTimeAsync(6000);
    expect(eventsOf(sent)).toEqual(["offer 1", "offer 2"]);
  });

  test("drops what belongs to an earlier epoch", async () => {
    const { link, take, last } = setUp();
    link.connect();
    await jest.advanceTimersByTimeAsync(8000);
    take("answer", 1);
    take("ice-candidate", 1);
    await settle();
    expect([last().remoteDescription, last().candidates]).toEqual([null, []]);
    take("answer", undefined);
    await settle();
    expect(last().remoteDescription).toMatchObject({ type: "answer" });
  });
});

describe("who answers", () => {
  test("uses the other one's transceiver both ways, and keeps candidates that came first", async () => {
    const { sent, take, last } = setUp({ isOfferer: false });
    take("offer", 1);
    take("ice-candidate", 1);
    await settle();
    expect(eventsOf(sent)).toEqual(["answer 1"]);
    expect(last().transceiver.direction).toBe("sendrecv");
    expect(last().candidates).toEqual([{ candidate: "candidate:1" }]);
  });

  test("that receives no offer tries by itself", async () => {
    const { link, sent } = setUp({ isOfferer: false });
    link.expect();
    await jest.advanceTimersByTimeAsync(14_000);
    expect(eventsOf(sent)).toEqual(["offer 1"]);
  });

  test("takes a newer epoch in place of its own, and no older one", async () => {
    const { link, take, sent } = setUp({ isOfferer: false });
    take("offer", 3);
    await settle();
    take("offer", 2);
    await settle();
    expect([link.epoch, eventsOf(sent)]).toEqual([3, ["answer 3"]]);
    await jest.advanceTimersByTimeAsync(1500);
    take("offer", 4);
    await settle();
    expect([FakeConnection.all.length, eventsOf(sent)]).toEqual([2, ["answer 3", "answer 4"]]);
  });
});

test("somebody who begins anew again and again uses up no connections", async () => {
  const { take } = setUp({ isOfferer: false });
  for (let epoch = 1; epoch <= 200; epoch += 1) take("offer", epoch);
  await settle();
  expect(FakeConnection.all).toHaveLength(1);
});

test("an offer that was lost while the server was away holds nothing up: theirs counts, and ours is made again", async () => {
  const { link, take, connect, last, sent } = setUp();
  await connect();
  link.lose();
  await settle();
  expect(last().signalingState).toBe("have-local-offer");
  take("offer", link.epoch);
  await settle();
  expect(eventsOf(sent)).toEqual(["offer 1", "offer 1"]);
  await jest.advanceTimersByTimeAsync(3001);
  take("offer", link.epoch);
  await settle();
  expect(eventsOf(sent).at(-1)).toBe("answer 1");
});

test.each([
  [true, ["offer 1"]],
  [false, ["offer 1", "answer 1"]],
])("of two offers that cross the one of who offers by rule counts (%s)", async (isOfferer, events) => {
  const { link, sent, take } = setUp({ isOfferer });
  link.connect();
  await settle();
  take("offer", 1);
  await settle();
  expect(eventsOf(sent)).toEqual(events);
});

describe("a path that is gone", () => {
  test("is looked for on the same connection, again and again, until it is back", async () => {
    const { link, phases, last, take, connect, sent } = setUp();
    await connect();
    last().become("disconnected");
    await settle();
    expect([phases.at(-1), last().restarts]).toEqual(["lost", 1]);
    take("answer", 1);
    await jest.advanceTimersByTimeAsync(4000);
    expect(last().restarts).toBe(2);
    last().become("connected");
    await jest.advanceTimersByTimeAsync(30_000);
    expect([link.phase, last().restarts, FakeConnection.all.length]).toEqual(["connected", 2, 1]);
    expect(eventsOf(sent).every((event) => event === "offer 1")).toBe(true);
  });

  test("for long is given up for a new connection", async () => {
    const { phases, last, connect } = setUp();
    await connect();
    last().become("disconnected");
    await jest.advanceTimersByTimeAsync(20_000);
    expect([FakeConnection.all.length, phases.at(-1)]).toEqual([2, "connecting"]);
  });

  test("is noticed also by who misses the other one's sound", async () => {
    const { link, last, connect } = setUp();
    await connect();
    link.lose();
    await settle();
    expect([link.phase, last().restarts]).toEqual(["lost", 1]);
    link.found();
    expect(link.phase).toBe("connected");
  });
});

test("a link that is closed says nothing more", async () => {
  const { link, last, phases, connect, take, sent } = setUp();
  await connect();
  const connection = last();
  link.close();
  connection.become("failed");
  take("answer", 1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connection.isClosed).toBe(true);
  expect([phases.length, sent.length]).toEqual([2, 1]);
});
