import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { PushError } from "#providers/socket-topic.ts";
import { createTestCall, TOPIC, toSeat } from "./test-call.ts";

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
        payload: { protocol_version: "1.0.0", devices: { microphone: true }, capabilities: { epochs: true } },
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
  ])("in a browser without %s says so, and leaves who only listens to read and write", async (name, kind) => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { call, socket, answer, tellRoster, connections, getRoom, pass, takeEvents } = createTestCall();
    Reflect.deleteProperty(globalThis, name);
    await call.join({ isListening: false });
    expect(call.store.getState()).toEqual({ phase: "outside", fault: { kind } });
    await call.join({ isListening: true });
    socket.become(TOPIC, "joined", answer());
    await tellRoster([toSeat("2")]);
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
  });

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
    const { call, tell, enter } = createTestCall();
    await enter();
    tell("roster_snapshot", { participants: [toSeat("2")] });
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
      const { call, socket, tell, enter } = createTestCall();
      await enter();
      tell("error", { code: "muted" });
      expect(call.store.getState().phase).toBe("in");
      tell("error", { code });
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
