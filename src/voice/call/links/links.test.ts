import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { participant } from "#contract/voice/room-channel.ts";
import type { LinkPhase } from "../room-state.ts";
import { toSeat } from "../test-call.ts";
import { SpareConnections } from "./call-links.ts";
import type { LinksDeps, OutgoingMessage } from "./links.ts";
import { RETURN_MS } from "./mesh.ts";
import { Mixer } from "./mixer.ts";
import type { LinkDeps } from "./peer-connection.ts";
import type { PeerLink } from "./peer-link.ts";
import { createTestMesh } from "./test-mesh.ts";

describe("mixer", () => {
  const person = (userId: string, status: "joining" | "ready" = "ready") =>
    participant.parse({
      id: `seat-${userId}`,
      user_id: userId,
      display_name: userId,
      is_muted: false,
      status,
    });

  /** A mixer over a link that remembers what it was sent, in a time that stands still. */
  function createTestMixer() {
    const calls: string[] = [];
    const phases: [string, LinkPhase][] = [];
    const sent: OutgoingMessage[] = [];
    const clock = { now: 0 };
    let made: Omit<LinkDeps, "createConnection"> | undefined;
    const link = {
      phase: "none" as LinkPhase,
      played: undefined as { level: number; rtpTimestamp: number } | undefined,
      connect: () => calls.push("connect"),
      checkPath: () => calls.push("checkPath"),
      lose: () => calls.push("lose"),
      found: () => calls.push("found"),
      take: ({ event }: { event: string }) => calls.push(`take ${event}`),
      changeTrack: async () => undefined,
      getPlayed: () => link.played,
      close: () => calls.push("close"),
    };
    const deps: Partial<LinksDeps> = {
      settings: () => ({ iceServers: [], isRelayOnly: true, certificate: undefined, maxBitrate: 32_000 }),
      send: (message) => sent.push(message),
      onLink: (userId, phase) => phases.push([userId, phase]),
      createLink: (linkDeps) => {
        made = linkDeps;
        return link as unknown as PeerLink;
      },
      now: () => clock.now,
    };
    const mixer = new Mixer(deps as LinksDeps);
    return {
      mixer,
      link,
      clock,
      sent,
      takeCalls: () => calls.splice(0),
      takePhases: () => phases.splice(0),
      get linkDeps() {
        if (!made) throw new Error("no link was made");
        return made;
      },
      become(phase: Exclude<LinkPhase, "none">) {
        link.phase = phase;
        this.linkDeps.onPhase(phase);
      },
    };
  }

  test("one link is begun, to the engine, however many are there, and everybody is reached as it is", () => {
    const room = createTestMixer();
    room.mixer.takeRoster([person("1", "joining"), person("2"), person("3")], "seat-1", false);
    expect(room.takeCalls()).toEqual(["connect"]);
    room.linkDeps.send({ event: "offer", offer: { type: "offer", sdp: "v=0" }, epoch: 1 });
    expect(room.sent).toMatchObject([{ event: "offer", target_user_id: "engine", epoch: 1 }]);
    room.takePhases();
    room.become("connected");
    expect(room.takePhases()).toEqual([
      ["2", "connected"],
      ["3", "connected"],
    ]);
    room.mixer.add(person("4"));
    expect(room.takePhases()).toEqual([["4", "connected"]]);
    expect(room.takeCalls()).toEqual([]);
  });

  test("the engine alone is listened to", () => {
    const room = createTestMixer();
    const description = { type: "answer", sdp: "v=0" } as const;
    room.mixer.take({ userId: "2" }, { event: "answer", description, epoch: 1 });
    expect(room.takeCalls()).toEqual([]);
    room.mixer.take({ userId: "engine" }, { event: "answer", description, epoch: 1 });
    expect(room.takeCalls()).toEqual(["take answer"]);
  });

  test("an address is hidden from nobody: no relay is forced on the way to the server", () => {
    expect(createTestMixer().linkDeps.settings().isRelayOnly).toBe(false);
  });

  test("behind a lost channel a link goes on where the server still has it, and is made anew where it has not", () => {
    const room = createTestMixer();
    room.mixer.takeRoster([person("1", "joining"), person("2")], "seat-1", false);
    room.become("connected");
    room.takeCalls();
    room.mixer.takeRoster([person("1"), person("2")], "seat-1", true);
    expect(room.takeCalls()).toEqual(["checkPath"]);
    room.mixer.takeRoster([person("1", "joining"), person("2")], "seat-1", true);
    expect(room.takeCalls()).toEqual(["connect"]);
  });

  test("who is missing behind a lost channel counts as gone after ten seconds, unless they are back", () => {
    const room = createTestMixer();
    room.mixer.takeRoster([person("1"), person("2"), person("3")], "seat-1", false);
    room.mixer.takeRoster([person("1")], "seat-1", true);
    room.mixer.add(person("3"));
    room.clock.now = 9999;
    room.mixer.measure();
    expect([room.mixer.has("2"), room.mixer.has("3")]).toEqual([true, true]);
    room.clock.now = 10_000;
    room.mixer.measure();
    expect([room.mixer.has("2"), room.mixer.has("3")]).toEqual([false, true]);
  });

  test("who is missing in a roster that may lack people stays, until a whole one lacks them too", () => {
    const room = createTestMixer();
    room.mixer.takeRoster([person("1"), person("2")], "seat-1", false);
    room.mixer.takeRoster([person("1")], "seat-1", true, true);
    room.clock.now = 1_000_000;
    room.mixer.measure();
    expect(room.mixer.has("2")).toBe(true);
    room.mixer.takeRoster([person("1")], "seat-1", true);
    room.clock.now += 10_000;
    room.mixer.measure();
    expect(room.mixer.has("2")).toBe(false);
  });

  test("a mix that stops coming is a lost path, and one that comes again a found one", () => {
    const room = createTestMixer();
    room.become("connected");
    room.link.played = { level: 0, rtpTimestamp: 960 };
    room.mixer.measure();
    room.clock.now = 3000;
    room.mixer.measure();
    expect(room.takeCalls()).toEqual([]);
    room.clock.now = 3001;
    room.mixer.measure();
    expect(room.takeCalls()).toEqual(["lose"]);
    room.become("lost");
    room.link.played = { level: 0, rtpTimestamp: 1920 };
    room.mixer.measure();
    expect(room.takeCalls()).toEqual(["found"]);
  });

  test("a seat that is left is forgotten, and a newer one of the same person stays", () => {
    const room = createTestMixer();
    room.mixer.takeRoster([person("1"), person("2")], "seat-1", false);
    room.mixer.remove("2", "an earlier seat");
    expect(room.mixer.has("2")).toBe(true);
    room.mixer.remove("2", "seat-2");
    expect(room.mixer.has("2")).toBe(false);
  });
});

describe("spare connections", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, "RTCPeerConnection");
  });

  class FakeConnection {
    transceivers = 0;
    isClosed = false;
    configuration: unknown;
    constructor(configuration?: unknown) {
      this.configuration = configuration;
    }
    addTransceiver() {
      this.transceivers += 1;
    }
    setConfiguration(configuration: unknown) {
      this.configuration = configuration;
    }
    close() {
      this.isClosed = true;
    }
  }

  function setUp() {
    const built: FakeConnection[] = [];
    const spares = new SpareConnections(() => {
      const connection = new FakeConnection();
      built.push(connection);
      return connection as unknown as RTCPeerConnection;
    });
    Object.assign(globalThis, { RTCPeerConnection: FakeConnection });
    const take = (isOffer: boolean) => spares.take({ iceServers: [] }, isOffer) as unknown as FakeConnection;
    return { spares, built, take };
  }

  test("makes one to answer on and as many to offer on as there are others, with their transceivers", () => {
    const { spares, built, take } = setUp();
    spares.keep(2);
    expect(built).toHaveLength(0);
    jest.runAllTimers();
    expect(built.map(({ transceivers }) => transceivers)).toEqual([0, 1, 1]);
    const offer = take(true);
    expect(built).toContain(offer);
    expect(offer.configuration).toEqual({ iceServers: [] });
    expect(take(false)).toBe(built[0]);
  });

  test("what is wanted beyond that is made at once, ready for its use", () => {
    const { built, take } = setUp();
    expect(take(true)).toMatchObject({ transceivers: 1, configuration: { iceServers: [] } });
    expect(take(false)).toMatchObject({ transceivers: 0 });
    expect(built).toHaveLength(0);
  });

  test("one that was answered on is followed by another, those to offer on are not", () => {
    const { spares, built, take } = setUp();
    spares.keep(1);
    jest.runAllTimers();
    take(true);
    take(false);
    jest.runAllTimers();
    expect(built.map(({ transceivers }) => transceivers)).toEqual([0, 1, 0]);
  });

  test("in a call those to offer on are closed, and the end closes all", () => {
    const { spares, built } = setUp();
    spares.keep(2);
    jest.runAllTimers();
    spares.keep(0);
    expect(built.map(({ isClosed }) => isClosed)).toEqual([false, true, true]);
    spares.close();
    jest.runAllTimers();
    expect(built.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
  });

  test("a browser that makes none is asked again by who needs one", () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const spares = new SpareConnections(() => {
      throw new Error("no more");
    });
    spares.keep(3);
    jest.runAllTimers();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

describe("links", () => {
  describe("who offers", () => {
    test("is the newcomer, to everybody but themselves", () => {
      const { takeRoster, takeCalls, mesh } = createTestMesh();
      takeRoster([toSeat("1"), toSeat("2"), toSeat("3")]);
      expect(takeCalls()).toEqual(["link 1 connect", "link 2 connect", "link 3 connect"]);
      expect(["1", "2", "3", "5"].map((userId) => mesh.has(userId))).toEqual([true, true, true, false]);
    });

    test("is whoever comes later, and is waited for", () => {
      const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
      takeRoster([]);
      mesh.add(toSeat("8"));
      expect([takeCalls(), getLink(1).deps.isOfferer]).toEqual([["link 1 expect"], false]);
    });

    test.each([
      ["a seat", "link 1 connect"],
      ["z seat", "link 1 expect"],
    ])("among equals behind a restart is settled by the seats: %s", (id, call) => {
      const { takeRoster, takeCalls } = createTestMesh();
      takeRoster([toSeat("2", { id, join_number: 5 })]);
      expect(takeCalls()).toEqual([call]);
    });

    test("never is one with whom nothing may pass, and their messages lead nowhere", () => {
      const { takeRoster, takeCalls, mesh, blocked } = createTestMesh();
      blocked.add("2");
      takeRoster([toSeat("1"), toSeat("2")]);
      const description = { type: "offer", sdp: "v=0" } as const;
      mesh.take({ userId: "2", participantId: "s2" }, { event: "offer", description, epoch: 1 });
      mesh.take({ userId: "1", participantId: "s1" }, { event: "offer", description, epoch: 1 });
      expect([takeCalls(), mesh.has("2")]).toEqual([["link 1 connect", "link 1 takes offer"], false]);
      blocked.delete("2");
      mesh.add(toSeat("2"));
      expect(takeCalls()).toEqual(["link 2 connect"]);
    });

    test("speaks to one person alone, and hears only the seat that is linked", () => {
      const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
      takeRoster([toSeat("2")]);
      takeCalls();
      getLink(1).deps.send({ event: "offer", offer: { type: "offer" }, epoch: 1 });
      mesh.take({ userId: "2", participantId: "another tab" }, { event: "answer", epoch: 1 });
      expect(takeCalls()).toEqual(["offer to 2"]);
    });
  });

  describe("a seat", () => {
    test("of the same person in another tab is linked anew; a return to the first counts its attempts on", () => {
      const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
      takeRoster([toSeat("2")]);
      getLink(1).epoch = 4;
      mesh.add(toSeat("2", { id: "another tab" }));
      mesh.remove("2", "s2");
      expect([takeCalls(), mesh.has("2")]).toEqual([
        ["link 1 connect", "link 1 close", "link 2 connect"],
        true,
      ]);
      mesh.add(toSeat("2"));
      expect([getLink(2).deps.firstEpoch, getLink(3).deps.firstEpoch]).toEqual([0, 4]);
    });

    test("that is gone from a roster is closed, and its sound with it", () => {
      const { takeRoster, takeCalls, connect, mesh, voices } = createTestMesh();
      takeRoster([toSeat("2"), toSeat("3")]);
      connect(1, "2");
      takeCalls();
      takeRoster([toSeat("3")]);
      expect([takeCalls(), voices["2"]?.isClosed, mesh.has("2")]).toEqual([["link 1 close"], true, false]);
    });
  });

  describe("behind a restart of the server", () => {
    const setUp = () => {
      const page = createTestMesh();
      page.takeRoster([toSeat("2"), toSeat("3"), toSeat("4")]);
      page.connect(1, "2");
      page.connect(2, "3");
      page.takeCalls();
      page.takeRoster([], true);
      return page;
    };

    test("links that stand are kept for those who are missing, the others are closed", () => {
      const { takeCalls, mesh } = setUp();
      expect(takeCalls()).toEqual(["link 3 close", "link 1 lookAgain", "link 2 lookAgain"]);
      expect(["2", "3", "4"].map((userId) => mesh.has(userId))).toEqual([true, true, false]);
    });

    test("who comes back in time stays linked, and who does not is gone", () => {
      const { takeCalls, mesh, clock } = setUp();
      takeCalls();
      clock.now = RETURN_MS;
      mesh.add(toSeat("3"));
      mesh.measure();
      expect([takeCalls(), mesh.has("2")]).toEqual([[], true]);
      clock.now = RETURN_MS + 1;
      mesh.measure();
      expect([takeCalls(), mesh.has("2"), mesh.has("3")]).toEqual([["link 1 close"], false, true]);
    });

    test("by a roster that may lack people whoever has a link stays, until a whole one lacks them too", () => {
      const { takeRoster, mesh, clock, getLink } = setUp();
      takeRoster([], true, undefined, true);
      clock.now = 100 * RETURN_MS;
      mesh.measure();
      expect([mesh.has("2"), mesh.has("3")]).toEqual([true, true]);
      // Has left: the link was looked for, and is now begun anew.
      getLink(2).phase = "connecting";
      mesh.measure();
      expect([mesh.has("2"), mesh.has("3")]).toEqual([true, false]);
      takeRoster([], true);
      clock.now += RETURN_MS;
      mesh.measure();
      expect(mesh.has("2")).toBe(true);
      clock.now += 1;
      mesh.measure();
      expect(mesh.has("2")).toBe(false);
    });

    test("who comes back is sent again that they are heard", () => {
      const { mesh, takeHearing } = setUp();
      mesh.reportHearing();
      mesh.reportHearing();
      expect(takeHearing()).toEqual([["2", "3"]]);
      mesh.add(toSeat("3"));
      mesh.reportHearing();
      expect(takeHearing()).toEqual([["2", "3"]]);
      mesh.add(toSeat("3"));
      mesh.reportHearing();
      expect(takeHearing()).toEqual([]);
    });
  });

  describe("whom one hears", () => {
    test("is those whose link stands and whose sound is played, sent at each change alone", () => {
      const { takeRoster, connect, getLink, mesh, takeHearing } = createTestMesh();
      takeRoster([toSeat("3"), toSeat("2")]);
      connect(1, "3");
      getLink(2).phase = "connected";
      mesh.reportHearing();
      connect(2, "2");
      mesh.reportHearing();
      mesh.reportHearing();
      getLink(1).phase = "lost";
      mesh.reportHearing();
      expect(takeHearing()).toEqual([["3"], ["2", "3"], ["2"]]);
      mesh.forgetHearing();
      mesh.reportHearing();
      expect(takeHearing()).toEqual([["2"]]);
    });

    test("is nobody while the browser holds sound back, which is sent once it lasts", () => {
      const { takeRoster, connect, speaker, clock, mesh, takeHearing } = createTestMesh();
      takeRoster([toSeat("2")]);
      connect(1, "2");
      speaker.isRunning = false;
      clock.now = 3000;
      mesh.reportHearing();
      expect(takeHearing()).toEqual([]);
      clock.now = 3001;
      mesh.reportHearing();
      speaker.isRunning = true;
      mesh.reportHearing();
      expect(takeHearing()).toEqual([[], ["2"]]);
    });

    test("is played as loud as was chosen, and not where a moderator or the listener says so", () => {
      const { takeRoster, connect, mesh, muted, voices } = createTestMesh();
      takeRoster([toSeat("2", { is_silenced: true }), toSeat("3")]);
      connect(1, "2");
      connect(2, "3");
      expect([voices["2"], voices["3"]]).toMatchObject([
        { volume: 0.5, isSilenced: true },
        { isSilenced: false },
      ]);
      mesh.add(toSeat("2"));
      muted.add("3");
      mesh.changeVolume("3");
      expect([voices["2"]?.isSilenced, voices["3"]?.isSilenced]).toEqual([false, true]);
    });
  });

  test("somebody who speaks and is not heard for two seconds has lost the path, until a packet comes", () => {
    const { takeRoster, takeCalls, connect, getLink, clock, mesh } = createTestMesh();
    takeRoster([toSeat("2")]);
    connect(1, "2");
    takeCalls();
    clock.now = 5000;
    mesh.changeState("2", { is_speaking: true });
    clock.now = 7000;
    mesh.measure();
    expect(takeCalls()).toEqual([]);
    clock.now = 7001;
    mesh.measure();
    expect(takeCalls()).toEqual(["link 1 lose"]);
    getLink(1).phase = "lost";
    getLink(1).played = { level: 0.4, rtpTimestamp: 960 };
    expect([[...mesh.measure()], takeCalls()]).toEqual([[["2", 0.4]], ["link 1 found"]]);
  });

  test("the end of a word that was played unasked before the path was lost brings nothing back, a new packet does", () => {
    const { takeRoster, takeCalls, connect, getLink, mesh } = createTestMesh();
    takeRoster([toSeat("2", { is_speaking: true })]);
    connect(1, "2");
    const link = getLink(1);
    link.played = { level: 0.4, rtpTimestamp: 960 };
    mesh.measure();
    mesh.changeState("2", { is_speaking: false });
    link.played = { level: 0.1, rtpTimestamp: 1920 };
    mesh.measure();
    link.phase = "lost";
    link.deps.onPhase("lost");
    takeCalls();
    mesh.measure();
    expect(takeCalls()).toEqual([]);
    link.played = { level: 0.4, rtpTimestamp: 2880 };
    mesh.measure();
    expect(takeCalls()).toEqual(["link 1 found"]);
  });
});
