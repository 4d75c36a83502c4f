import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/preferences.ts";
import { PushError } from "#providers/socket-topic.ts";
import { createTestCall, TOPIC, toSeat } from "./test-call.ts";

afterEach(() => {
  jest.useRealTimers();
});

describe("the microphone", () => {
  test("is muted and opened again by the person, and the others are told once each", async () => {
    const { call, getRoom, enter, takeEvents } = createTestCall();
    await enter();
    await call.setMuted(true);
    await call.setMuted(true);
    expect([getRoom().me.isMuted, takeEvents()]).toEqual([true, ["mute"]]);
    await call.setMuted(false);
    expect([getRoom().me.isMuted, takeEvents()]).toEqual([false, ["unmute"]]);
  });

  test("goes out while the person speaks, to everybody, and the others are told", async () => {
    const { call, socket, speak, getRoom, enter, connections } = createTestCall();
    await enter([toSeat("2"), toSeat("3")]);
    const tracks = () => connections.map(({ track }) => track);
    await speak(true);
    expect(tracks()).toEqual([call.sound.track, call.sound.track]);
    expect([getRoom().me.isSpeaking, socket.takeSent()]).toEqual([
      true,
      [{ event: "speaking", payload: { is_speaking: true } }],
    ]);
    await speak(false);
    expect(tracks()).toEqual([null, null]);
    expect(socket.takeSent()).toEqual([{ event: "speaking", payload: { is_speaking: false } }]);
  });

  test("that is muted sends nothing of what is said, from the moment on", async () => {
    const { call, speak, getRoom, enter, connections, takeEvents } = createTestCall();
    await enter([toSeat("2")]);
    await speak(true);
    takeEvents();
    await call.setMuted(true);
    expect([connections[0]?.track, getRoom().me.isSpeaking, takeEvents()]).toEqual([
      null,
      false,
      ["speaking", "mute"],
    ]);
    await speak(true);
    expect([connections[0]?.track, takeEvents()]).toEqual([null, []]);
    await call.setMuted(false);
    expect([connections[0]?.track, takeEvents()]).toEqual([call.sound.track, ["speaking", "unmute"]]);
  });

  test("that a moderator silences sends nothing until it is lifted", async () => {
    const { call, speak, getRoom, tellRoster, enter, connections } = createTestCall();
    await enter([toSeat("2")]);
    await speak(true);
    await tellRoster([toSeat("2")], toSeat("5", { is_silenced: true }));
    expect([connections[0]?.track, getRoom().me]).toMatchObject([
      null,
      { isSilenced: true, isSpeaking: false },
    ]);
    await tellRoster([toSeat("2")]);
    expect([connections[0]?.track, getRoom().me.isSpeaking]).toEqual([call.sound.track, true]);
  });

  test("is muted when speaking stops, where that is wished", async () => {
    const { speak, getRoom, enter, takeEvents } = createTestCall({ auto_mute: true });
    await enter();
    await speak(true);
    expect(getRoom().me.isMuted).toBe(false);
    await speak(false);
    expect([getRoom().me, takeEvents().at(-1)]).toMatchObject([{ isMuted: true, isSpeaking: false }, "mute"]);
  });

  test("with push to talk is open while the key is held, whatever is said", async () => {
    const { call, speak, getRoom, enter, connections, takeEvents } = createTestCall({ push_to_talk: true });
    await enter([toSeat("2")]);
    await speak(true);
    expect([connections[0]?.track, takeEvents()]).toEqual([null, []]);
    await call.setPushed(true);
    await speak(false);
    expect([connections[0]?.track, getRoom().me]).toMatchObject([
      call.sound.track,
      { isMuted: false, isSpeaking: true },
    ]);
    await call.setPushed(false);
    expect([connections[0]?.track, getRoom().me.isMuted]).toEqual([null, true]);
    expect(takeEvents()).toEqual(["speaking", "unmute", "speaking", "mute"]);
  });

  test("is muted by push to talk when that is switched on during a call", async () => {
    const { call, getRoom, enter } = createTestCall();
    await enter();
    await call.changePreferences(voicePreferences.parse({ push_to_talk: true }));
    expect(getRoom().me.isMuted).toBe(true);
  });

  test("is muted where the server says that the person did so elsewhere", async () => {
    const { getRoom, tell, enter, settle, takeEvents } = createTestCall();
    await enter();
    tell("own_mute", { is_muted: true });
    await settle();
    expect([getRoom().me.isMuted, takeEvents()]).toEqual([true, ["mute"]]);
  });

  test("is turned on by who listened, and off again", async () => {
    const { call, socket, getUserMedia, stopMicrophone, answer, getRoom } = createTestCall();
    await call.join({ isListening: true });
    socket.become(TOPIC, "joined", answer());
    socket.takeSent();
    await call.setListening(false);
    expect([getUserMedia.mock.calls.length, getRoom().me.isListening]).toEqual([1, false]);
    expect(socket.takeSent()).toMatchObject([{ event: "ready", payload: { devices: { microphone: true } } }]);
    await call.setListening(true);
    expect([stopMicrophone.mock.calls.length, getRoom().me.isListening]).toEqual([1, true]);
    expect(socket.takeSent()).toMatchObject([
      { event: "ready", payload: { devices: { microphone: false } } },
    ]);
  });

  test("that is unplugged with no other one there is told the others, and again when one is back", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { devices, socket, settle, enter } = createTestCall();
    await enter();
    devices.unplug("audioinput", "built-in");
    await settle();
    devices.plug("audioinput", "another");
    await settle();
    expect(socket.takeSent()).toMatchObject([
      { event: "ready", payload: { devices: { microphone: false } } },
      { event: "ready", payload: { devices: { microphone: true } } },
    ]);
    warn.mockRestore();
  });

  test("that is refused to who listened leaves them listening", async () => {
    const { call, socket, getUserMedia, answer, getRoom } = createTestCall();
    await call.join({ isListening: true });
    socket.become(TOPIC, "joined", answer());
    getUserMedia.mockRejectedValue(new Error("no"));
    await expect(call.setListening(false)).rejects.toThrow("no");
    expect(getRoom().me.isListening).toBe(true);
  });
});

describe("a line of text", () => {
  test("is sent as it is, and a refusal is the caller's", async () => {
    const { call, socket, enter } = createTestCall();
    await expect(call.sendText("Hi")).rejects.toMatchObject({ reason: "not_connected" });
    await enter();
    await call.sendText("Hi");
    expect(socket.takeSent()).toEqual([{ event: "text", payload: { text: "Hi" } }]);
    socket.pushes.answer = () => Promise.reject(new PushError("too_many_messages"));
    await expect(call.sendText("Hi")).rejects.toMatchObject({ reason: "too_many_messages" });
  });
});

describe("whom one hears", () => {
  const enterAndHear = async () => {
    const page = createTestCall();
    await page.enter([toSeat("2")]);
    page.connections[0]?.connect();
    await page.pass(500);
    return page;
  };

  test("is told the others once it changes", async () => {
    const { socket, pass } = await enterAndHear();
    expect(socket.takeSent()).toEqual([{ event: "hearing", payload: { user_ids: ["2"] } }]);
    await pass(5000);
    expect(socket.takeSent()).toEqual([]);
  });

  test("is told again where it did not arrive", async () => {
    const { call, socket, enter, connections, pass, takeEvents } = createTestCall();
    await enter([toSeat("2")]);
    socket.pushes.answer = () => Promise.reject(new PushError("timeout"));
    connections[0]?.connect();
    await pass(1000);
    expect(takeEvents()).toEqual(["hearing", "hearing"]);
    expect(call.store.getState()).toMatchObject({ isHearingTold: true });
  });

  test("is told no server that does not know it", async () => {
    const { socket, enter, connections, pass, takeEvents, getRoom } = createTestCall();
    await enter([toSeat("2")]);
    socket.pushes.answer = () => Promise.reject(new PushError("unknown_event_type"));
    connections[0]?.connect();
    await pass(500);
    expect([takeEvents(), getRoom().isHearingTold]).toEqual([["hearing"], false]);
    connections[0]?.close();
    await pass(5000);
    expect(takeEvents()).toEqual([]);
  });
});

describe("a sound for who comes and who goes", () => {
  test.each([
    [true, ["in", "out"]],
    [false, []],
  ])("is made where it is wished: %s", async (sounds, made) => {
    const { call, tell, enter } = createTestCall({ sounds });
    await enter([toSeat("2")]);
    const chime = jest.spyOn(call.sound, "chime").mockImplementation(() => undefined);
    tell("participant_joined", toSeat("8"));
    tell("roster_update", { added: [toSeat("8")] });
    tell("participant_left", { id: "s8", user_id: "8" });
    tell("roster_update", { removed: [{ id: "s8", user_id: "8" }] });
    expect(chime.mock.calls.map(([kind]) => kind)).toEqual(made);
  });

  test("are not heard of somebody who is apart, whatever is told of them", async () => {
    const { call, tell, enter } = createTestCall({ sounds: true }, { blocked: ["8"] });
    await enter([toSeat("2")]);
    const chime = jest.spyOn(call.sound, "chime").mockImplementation(() => undefined);
    tell("apart", { user_ids: ["9"] });
    for (const name of ["8", "9"]) {
      tell("participant_joined", toSeat(name));
      tell("roster_update", { updated: [toSeat(name)] });
      tell("participant_left", { id: `s${name}`, user_id: name });
    }
    expect(chime).not.toHaveBeenCalled();
  });
});
