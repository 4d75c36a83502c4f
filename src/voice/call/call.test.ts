import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/accounts/accounts.ts";
import { PushError } from "#providers/socket/topic.ts";
import { toRoom } from "../test-room.ts";
import { createTestCall, TOPIC, toSeat } from "./test-call.ts";

describe("call", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  describe("joining", () => {
    test("opens the microphone, then the channel, and says who comes", async () => {
      const { call, socket, getUserMedia, answer, getRoom, settle } = createTestCall();
      const joining = call.join({ isListening: false });
      expect(call.store.getState()).toEqual({ phase: "joining", step: "microphone" });
      expect([getUserMedia.mock.calls.length, socket.isJoined(TOPIC)]).toEqual([1, false]);
      expect(getUserMedia.mock.calls[0]).toMatchObject([
        { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } },
      ]);
      await joining;
      expect(call.store.getState()).toEqual({ phase: "joining", step: "connection" });
      expect(socket.getParams(TOPIC)).toEqual({ room_id: "r1", user_id: "5", display_name: "Ada" });
      socket.become(TOPIC, "joined", { ...answer(), can_moderate: true });
      await settle();
      expect(socket.takeSent()).toEqual([
        { event: "join", payload: {} },
        {
          event: "ready",
          payload: {
            protocol_version: "1.0.0",
            devices: { microphone: true },
            capabilities: { epochs: true },
          },
        },
      ]);
      expect(getRoom()).toMatchObject({
        room: { name: "Tea" },
        me: { participantId: "s5", userId: "5", isMuted: false, isListening: false },
        canModerate: true,
        people: [],
      });
    });

    test.each([
      ["unsupported_version", "unsupported_version"],
      ["timeout", undefined],
    ])("shows what the server says against this version of the client: %s", async (reason, complaint) => {
      const { socket, getRoom, enter } = createTestCall();
      socket.pushes.answer = () => Promise.reject(new PushError(reason));
      await enter();
      expect(getRoom().complaint).toBe(complaint);
    });

    test("once, however often it is clicked", async () => {
      const { call, getUserMedia } = createTestCall();
      await Promise.all([call.join({ isListening: false }), call.join({ isListening: false })]);
      await call.join({ isListening: true });
      expect(getUserMedia).toHaveBeenCalledTimes(1);
    });

    test("to listen asks for no microphone, and says that there is none", async () => {
      const { call, socket, getUserMedia, answer, getRoom } = createTestCall();
      await call.join({ isListening: true });
      socket.become(TOPIC, "joined", answer());
      expect(getUserMedia).not.toHaveBeenCalled();
      expect(socket.takeSent()).toMatchObject([
        {},
        { event: "ready", payload: { devices: { microphone: false } } },
      ]);
      expect(getRoom().me.isListening).toBe(true);
    });

    test.each([
      ["the person's own wish", { auto_mute_on_join: true }, {}, true],
      ["push to talk", { push_to_talk: true }, {}, true],
      ["a rule of the room", {}, { auto_mute_on_join: true }, undefined],
    ])("muted, by %s", async (_why, preferences, room, is_muted) => {
      const { call, socket, answer, getRoom } = createTestCall(preferences);
      await call.join({ isListening: false });
      expect(socket.getParams(TOPIC)).toEqual({
        ...{ room_id: "r1", user_id: "5", display_name: "Ada" },
        ...(is_muted && { is_muted }),
      });
      socket.become(TOPIC, "joined", answer(room));
      expect(getRoom().me.isMuted).toBe(true);
    });
  });

  describe("a join that comes to nothing", () => {
    test.each([
      ["NotAllowedError", { kind: "microphone_refused" }],
      ["NotReadableError", { kind: "audio", reason: "busy" }],
    ])("for want of a microphone reaches no channel: %s", async (name, fault) => {
      const { call, socket, getUserMedia } = createTestCall();
      getUserMedia.mockRejectedValue(Object.assign(new Error("busy"), { name }));
      await call.join({ isListening: false });
      expect(call.store.getState()).toEqual({ phase: "outside", fault });
      expect(socket.isJoined(TOPIC)).toBe(false);
    });

    test.each([
      ["RTCPeerConnection", "no_webrtc"],
      ["AudioContext", "no_output"],
    ])(
      "in a browser without %s says so, and leaves who only listens to read and write",
      async (name, kind) => {
        const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
        const { call, socket, answer, publishRoster, connections, getRoom, pass, takeEvents } =
          createTestCall();
        Reflect.deleteProperty(globalThis, name);
        await call.join({ isListening: false });
        expect(call.store.getState()).toEqual({ phase: "outside", fault: { kind } });
        await call.join({ isListening: true });
        socket.become(TOPIC, "joined", answer());
        await publishRoster([toSeat("2")]);
        await call.sendText("Hi");
        await expect(call.setListening(false)).rejects.toThrow(kind);
        await pass(5000);
        expect(takeEvents()).toEqual(["join", "ready", "text"]);
        expect(getRoom()).toMatchObject({ soundFault: { kind }, people: [{ user_id: "2", link: "none" }] });
        expect([
          connections.filter(({ localDescription }) => localDescription),
          getRoom().me.isListening,
        ]).toEqual([[], true]);
        socket.become(TOPIC, "waiting");
        socket.state.failedTries = 5;
        await pass(10_200);
        expect(getRoom().signalling).toBe("stalled");
        warn.mockRestore();
      },
    );

    test.each([
      [{ reason: "failed_to_join_room", detail: "full" }, "full"],
      [{ reason: "unauthorized", detail: "banned" }, "banned"],
      [{ reason: "room_not_found" }, "room_not_found"],
      [{ reason: "not_participant" }, "failed"],
    ])("because the server refuses it says why, and can be tried again: %j", async (refusal, kind) => {
      const { call, socket, answer, getRoom, pass } = createTestCall();
      await call.join({ isListening: true });
      await pass(5000);
      socket.become(TOPIC, "closed", refusal);
      expect(call.store.getState()).toEqual({ phase: "outside", fault: { kind } });
      expect(socket.isJoined(TOPIC)).toBe(false);
      await call.join({ isListening: true });
      // The first one's time is over, this one's is not.
      await pass(6000);
      socket.become(TOPIC, "joined", answer());
      expect(getRoom().people).toEqual([]);
    });

    test.each([
      ["connected", "join_timeout"],
      ["idle", "no_token"],
      ["connecting", "connection_timeout"],
    ] as const)("within ten seconds on a socket that is %s is given up as %s", async (status, kind) => {
      const { call, socket, pass } = createTestCall();
      socket.state.status = status;
      await call.join({ isListening: true });
      await pass(9999);
      expect(call.store.getState().phase).toBe("joining");
      await pass(1);
      expect([call.store.getState(), socket.isJoined(TOPIC)]).toEqual([
        { phase: "outside", fault: { kind } },
        false,
      ]);
    });

    test("because the roster knows nothing of the person is a failure", async () => {
      const { call, publish, enter } = createTestCall();
      await enter();
      publish("roster_snapshot", { participants: [toSeat("2")] });
      expect(call.store.getState()).toEqual({ phase: "outside", fault: { kind: "failed" } });
    });

    test("because it was given up while the browser asked leaves no light on, and joins nothing", async () => {
      const { call, socket, getUserMedia, stopMicrophone, settle } = createTestCall();
      const { promise, resolve } = Promise.withResolvers<void>();
      const stream = await getUserMedia({});
      getUserMedia.mockImplementation(() => promise.then(() => stream));
      const joining = call.join({ isListening: false });
      call.leave();
      resolve();
      await joining;
      await settle();
      expect(stopMicrophone).toHaveBeenCalled();
      expect([call.store.getState(), socket.isJoined(TOPIC)]).toEqual([
        { phase: "outside", fault: undefined },
        false,
      ]);
    });
  });

  test("a microphone that is refused late ends nothing for who has gone on to listen", async () => {
    const { call, getUserMedia, socket } = createTestCall();
    const { promise, reject } = Promise.withResolvers<never>();
    getUserMedia.mockReturnValue(promise);
    const joining = call.join({ isListening: false });
    call.leave();
    await call.join({ isListening: true });
    reject(new Error("no"));
    await joining;
    expect([call.store.getState(), socket.isJoined(TOPIC)]).toEqual([
      { phase: "joining", step: "connection" },
      true,
    ]);
  });

  describe("the end", () => {
    test("by leaving closes links, channel and microphone", async () => {
      const { call, socket, connections, stopMicrophone, enter } = createTestCall();
      await enter([toSeat("2"), toSeat("3")]);
      call.leave();
      expect(call.store.getState()).toEqual({ phase: "over", ending: "left" });
      expect([connections.length, connections.every(({ isClosed }) => isClosed)]).toEqual([2, true]);
      expect([socket.isJoined(TOPIC), stopMicrophone.mock.calls.length > 0]).toEqual([false, true]);
    });

    test.each(["replaced", "removed", "banned", "room_closed"])(
      "by the server's word %s ends the call",
      async (code) => {
        const { call, socket, publish, enter } = createTestCall();
        await enter();
        publish("error", { code: "muted" });
        expect(call.store.getState().phase).toBe("in");
        publish("error", { code });
        expect(call.store.getState()).toEqual({ phase: "over", ending: code });
        expect(socket.isJoined(TOPIC)).toBe(false);
      },
    );

    test("by closing the page frees this seat, and no other", async () => {
      const { call, socket, sendLeave, enter, takeEvents } = createTestCall();
      const hide = (persisted: boolean) =>
        window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted }));
      await call.join({ isListening: false });
      hide(false);
      call.leave();
      await enter();
      hide(true);
      expect([sendLeave.mock.calls, takeEvents()]).toEqual([[], []]);
      hide(false);
      expect([sendLeave.mock.calls, takeEvents()]).toEqual([[["s5"]], ["leave"]]);
      call.leave();
      hide(false);
      expect([sendLeave.mock.calls.length, socket.takeSent()]).toEqual([1, []]);
    });
  });
});

describe("call roster", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  describe("the roster", () => {
    test("gives the others in the order of joining, and offers to who was there before", async () => {
      const { getRoom, publishRoster, takeEvents, connections, enter } = createTestCall();
      await enter();
      await publishRoster([toSeat("9"), toSeat("3"), toSeat("2")]);
      expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
        ["2", "connecting"],
        ["3", "connecting"],
        ["9", "connecting"],
      ]);
      expect(takeEvents()).toEqual(["offer 3", "offer 2"]);
      connections[0]?.connect();
      expect(getRoom().people.find(({ user_id }) => user_id === "3")?.link).toBe("connected");
    });

    test("of a server that knows one of the two words for a mute alone is read as well", async () => {
      const { getRoom, publish, enter } = createTestCall();
      await enter();
      const toDocumented = (user_id: string, mute_state?: unknown) => ({
        ...{ id: user_id, user_id, display_name: user_id },
        ...(mute_state !== undefined && { mute_state }),
      });
      publish("roster_snapshot", {
        participants: [
          toSeat("5"),
          toDocumented("1", "muted"),
          toDocumented("2", "unmuted"),
          toDocumented("3"),
        ],
      });
      expect(getRoom().people.map(({ is_muted }) => is_muted)).toEqual([true, false, false]);
    });

    test("has offers made that say who makes them, for a server that passes them on as they are", async () => {
      const { socket, enter, publishRoster } = createTestCall();
      await enter();
      await publishRoster([toSeat("2")]);
      expect(socket.takeSent()).toMatchObject([
        { event: "offer", payload: { from_user_id: "5", from_display_name: "Ada", target_user_id: "2" } },
      ]);
    });

    test("follows who comes and who goes", async () => {
      const { getRoom, publish, enter, connections, takeEvents } = createTestCall();
      await enter([toSeat("2")]);
      publish("participant_joined", toSeat("8"));
      publish("participant_left", { id: "s2", user_id: "2" });
      expect(getRoom().people.map(({ user_id }) => user_id)).toEqual(["8"]);
      expect([connections[0]?.isClosed, takeEvents()]).toEqual([true, []]);
      publish("roster_update", { added: [toSeat("9")], removed: [{ id: "an earlier seat", user_id: "8" }] });
      expect(getRoom().people.map(({ user_id }) => user_id)).toEqual(["8", "9"]);
    });

    test("links nobody who is blocked, and shows no line of theirs", async () => {
      const { call, getRoom, publish, takeEvents, connections, settle, enter } = createTestCall(
        {},
        { blocked: ["2"] },
      );
      await enter([toSeat("2"), toSeat("3")]);
      const say = (user_id: string) =>
        publish("text", {
          id: user_id,
          user_id,
          display_name: "x",
          text: "Hi",
          sent_at: "2026-11-20T12:00:00Z",
        });
      say("2");
      say("3");
      expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
        ["2", "none"],
        ["3", "connecting"],
      ]);
      expect(getRoom().texts.map(({ user_id }) => user_id)).toEqual(["3"]);
      call.setBlocked("3", true);
      expect([call.isBlocked("3"), connections.length, connections[0]?.isClosed]).toEqual([true, 1, true]);
      call.setBlocked("2", false);
      await settle();
      expect(takeEvents()).toEqual(["offer 2"]);
    });
  });
});

describe("call apart", () => {
  /** Links of a call: whether each is closed. */
  const listClosed = (connections: readonly { isClosed: boolean }[]) =>
    connections.map(({ isClosed }) => isClosed);

  test("with whom one is apart there is no link, and there is one when the server says no more of it", async () => {
    const { socket, call, answer, settle, publish, publishRoster, connections, getRoom } = createTestCall();
    await call.join({ isListening: false });
    socket.become("voice:room:r1", "joined", answer());
    await settle();
    publish("apart", { user_ids: ["2"] });
    await publishRoster([toSeat("2"), toSeat("3")]);
    expect(listClosed(connections)).toEqual([false]);
    expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
      ["2", "none"],
      ["3", "connecting"],
    ]);
    expect(call.isBlocked("2")).toBe(false);

    publish("apart", { user_ids: ["3"] });
    await settle();
    expect(listClosed(connections)).toEqual([true, false]);
    expect(getRoom().people.map(({ link }) => link)).toEqual(["connecting", "none"]);
  });

  test("a return of which the server says nothing ends it", async () => {
    const { comeBack, publish, enter, publishRoster, connections } = createTestCall();
    await enter([toSeat("2")]);
    publish("apart", { user_ids: ["2"] });
    expect(listClosed(connections)).toEqual([true]);
    await comeBack();
    await publishRoster([toSeat("2")]);
    expect(listClosed(connections)).toEqual([true, false]);
  });

  test("whom one has blocked oneself stays apart whatever the server says", async () => {
    const { call, publish, enter, connections } = createTestCall();
    await enter([toSeat("2")]);
    call.setBlocked("2", true);
    publish("apart", { user_ids: [] });
    expect([listClosed(connections), call.isBlocked("2")]).toEqual([[true], true]);
    call.setBlocked("2", false);
    expect(listClosed(connections)).toEqual([true, false]);
  });

  test("in a mixed room everybody is linked as the mix is", async () => {
    const { publish, enter, settle, getRoom } = createTestCall();
    await enter([toSeat("2"), toSeat("3")], { engine: "mix" });
    await settle();
    const before = getRoom().people.map(({ link }) => link);
    publish("apart", { user_ids: ["2"] });
    expect(getRoom().people.map(({ link }) => link)).toEqual(before);
    expect(new Set(before).size).toBe(1);
  });
});

describe("call address", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  /** In a private room with a relay, linked with 2; the link with 3 is on its way. */
  async function enterPrivate() {
    const page = createTestCall();
    await page.call.join({ isListening: false });
    const ice_servers = [{ urls: ["turn:relay.test"] }];
    page.socket.become(TOPIC, "joined", { ...page.answer({ is_public: false }), ice_servers });
    await page.settle();
    await page.publishRoster([toSeat("3"), toSeat("2")]);
    page.connections[1]?.connect();
    expect(page.connections.map(({ configuration }) => configuration.iceTransportPolicy)).toEqual([
      "all",
      "all",
    ]);
    page.takeEvents();
    const listPolicies = () =>
      page.connections
        .filter(({ isClosed }) => !isClosed)
        .map(({ configuration }) => configuration.iceTransportPolicy);
    return { ...page, listPolicies };
  }

  describe("an address that is to be hidden from now on", () => {
    test("because the room was made public is hidden by every link, those on their way too", async () => {
      const { call, publish, settle, takeEvents, listPolicies } = await enterPrivate();
      publish("room_updated", toRoom({ is_public: true }));
      await settle();
      expect([call.isAddressHidden, listPolicies(), takeEvents().sort()]).toEqual([
        true,
        ["relay", "relay"],
        ["offer 2", "offer 3"],
      ]);
      publish("room_updated", toRoom({ is_public: true, name: "Coffee" }));
      await settle();
      expect(takeEvents()).toEqual([]);
    });

    test("by the person's own wish is so at once, also where an offer has just gone out", async () => {
      const { call, connections, settle, takeEvents, listPolicies } = await enterPrivate();
      connections[1]?.disconnect();
      await settle();
      await call.changePreferences(voicePreferences.parse({ hide_address: "always" }));
      await settle();
      expect([listPolicies(), takeEvents().sort()]).toEqual([
        ["relay", "relay"],
        ["offer 2", "offer 2", "offer 3"],
      ]);
    });

    test("since a moment when the server was away is hidden when it is back", async () => {
      const { socket, answer, settle, listPolicies } = await enterPrivate();
      socket.become(TOPIC, "waiting");
      socket.become(TOPIC, "joined", {
        ...answer({ is_public: true }),
        ice_servers: [{ urls: ["turn:relay.test"] }],
      });
      await settle();
      expect(listPolicies()).toEqual(["relay", "relay"]);
    });
  });
});
