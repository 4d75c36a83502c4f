import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/accounts/accounts.ts";
import { PushError } from "#providers/socket/topic.ts";
import { RETURN_MS } from "./links/mesh.ts";
import { createTestCall, TOPIC, toSeat } from "./test-call.ts";

describe("stay", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  describe("a channel that was lost", () => {
    test("is shown, and that it goes on for long, and what did not change meanwhile stays", async () => {
      const { socket, getRoom, enter, pass } = createTestCall();
      await enter([toSeat("2")]);
      socket.become(TOPIC, "waiting");
      expect(getRoom()).toMatchObject({ signalling: "reconnecting", people: [{ user_id: "2" }] });
      // The first five tries are made within a second.
      socket.state.failedTries = 5;
      await pass(9000);
      expect(getRoom().signalling).toBe("reconnecting");
      await pass(1200);
      expect(getRoom().signalling).toBe("stalled");
      socket.become(TOPIC, "joined", {});
      expect(getRoom().signalling).toBe("connected");
    });

    test("is joined again with the seat, and as muted as the person is by now", async () => {
      const { call, socket, enter, answer, publishRoster, takeEvents, getRoom, connections } =
        createTestCall();
      await enter([toSeat("2")]);
      connections[0]?.connect();
      await call.setMuted(true);
      socket.become(TOPIC, "waiting");
      expect(socket.getParams(TOPIC)).toMatchObject({ seat: { id: "s5", join_number: 5 }, is_muted: true });
      await call.setMuted(false);
      expect(socket.getParams(TOPIC)).toMatchObject({ is_muted: false });
      socket.takeSent();
      socket.become(TOPIC, "joined", { ...answer(), participant_id: "a new seat" });
      await publishRoster([toSeat("2")], toSeat("5", { id: "a new seat", join_number: 6 }));
      // What could be sent to nobody meanwhile is said again.
      expect(takeEvents()).toEqual(["join", "ready", "unmute"]);
      expect(getRoom().me).toMatchObject({ participantId: "a new seat", isMuted: false });
      expect(socket.getParams(TOPIC)).toMatchObject({ seat: { id: "a new seat", join_number: 6 } });
    });

    test("has who speaks say so again", async () => {
      const { comeBack, enter, speak, publishRoster, takeEvents } = createTestCall();
      await enter();
      await speak(true);
      await comeBack();
      await publishRoster([]);
      expect(takeEvents()).toEqual(["unmute", "speaking"]);
    });

    test("sends the server again whom one hears", async () => {
      const { comeBack, enter, connections, pass, publishRoster, takeEvents } = createTestCall();
      await enter([toSeat("2")]);
      connections[0]?.connect();
      await pass(1000);
      expect(takeEvents()).toEqual(["hearing"]);
      await comeBack();
      await publishRoster([toSeat("2")]);
      await pass(500);
      expect(takeEvents()).toEqual(["unmute", "hearing"]);
    });

    test("leaves links alone that stand, and forgets for good who has not come back in time", async () => {
      const { comeBack, enter, connections, pass, publishRoster, publish, takeEvents, getRoom } =
        createTestCall();
      await enter([toSeat("2"), toSeat("3"), toSeat("4")]);
      const links = [...connections];
      for (const link of links) link.connect();
      await comeBack();
      await publishRoster([toSeat("2")]);
      publish("participant_joined", toSeat("3"));
      const listPeople = () => getRoom().people.map(({ user_id }) => user_id);
      const listClosed = () => links.map(({ isClosed }) => isClosed);
      await pass(RETURN_MS - 100);
      expect([listPeople(), listClosed()]).toEqual([
        ["2", "3", "4"],
        [false, false, false],
      ]);
      await pass(1000);
      expect([listPeople(), listClosed()]).toEqual([
        ["2", "3"],
        [false, false, true],
      ]);
      expect(takeEvents()).toEqual(["unmute", "hearing", "hearing"]);
    });

    test("keeps everybody who is heard for as long as rosters may lack people, and forgets them by the first whole one", async () => {
      const { publish, enter, connections, pass, publishRoster, getRoom } = createTestCall();
      await enter([toSeat("2"), toSeat("3"), toSeat("4")]);
      const links = [...connections];
      for (const link of links) link.connect();
      const listPeople = () => getRoom().people.map(({ user_id }) => user_id);
      publish("roster_snapshot", { participants: [toSeat("2"), toSeat("5")], is_partial: true });
      await pass(2 * RETURN_MS);
      expect(listPeople()).toEqual(["2", "3", "4"]);
      // Has left, which nobody can say here.
      links[2]?.disconnect();
      await pass(3.2 * RETURN_MS);
      expect([listPeople(), links.map(({ isClosed }) => isClosed)]).toEqual([
        ["2", "3"],
        [false, false, true],
      ]);
      await publishRoster([toSeat("2")]);
      await pass(RETURN_MS - 100);
      expect([listPeople(), links[1]?.isClosed]).toEqual([["2", "3"], false]);
      await pass(1000);
      expect([listPeople(), links[1]?.isClosed]).toEqual([["2"], true]);
    });

    describe("while a path was lost", () => {
      /** In the room with 2, whose link stood, and who offers; what is offered while the server is away reaches nobody. */
      const losePath = async () => {
        const page = createTestCall();
        await page.enter([toSeat("2")]);
        page.connections[0]?.connect();
        page.connections[0]?.disconnect();
        await page.settle();
        expect(page.takeEvents()).toEqual(["offer 2"]);
        return page;
      };

      test("has another one looked for as soon as it is back, however young the offer that was lost", async () => {
        const { socket, answer, publishRoster, takeEvents, pass } = await losePath();
        socket.become(TOPIC, "waiting");
        await pass(1000);
        socket.become(TOPIC, "joined", answer());
        await publishRoster([toSeat("2")]);
        expect(takeEvents()).toEqual(["join", "ready", "unmute", "offer 2"]);
      });

      test("has another one looked for also by who stayed, when the other one is back, and once", async () => {
        const { publish, settle, takeEvents } = await losePath();
        publish("roster_update", { updated: [toSeat("2")] });
        await settle();
        expect(takeEvents()).toEqual(["offer 2"]);
        publish("answer", { from_user_id: "2", answer: "v=0" });
        await settle();
        publish("roster_update", { updated: [toSeat("2")] });
        await settle();
        expect(takeEvents()).toEqual([]);
      });

      test("has every restart look for another one until there is an answer", async () => {
        const { takeEvents, pass } = await losePath();
        await pass(8000);
        expect(takeEvents().filter((event) => event === "offer 2")).toHaveLength(2);
      });
    });

    test("has a link begun anew whose offer nobody has got", async () => {
      const { comeBack, enter, publishRoster, takeEvents, connections } = createTestCall();
      await enter([toSeat("2")]);
      await comeBack();
      await publishRoster([toSeat("2")]);
      expect([takeEvents(), connections[0]?.isClosed]).toEqual([["unmute", "offer 2"], true]);
    });

    test("forgets who left meanwhile also where they are blocked, and who was never linked", async () => {
      const { comeBack, enter, pass, publishRoster, getRoom } = createTestCall({}, { blocked: ["2"] });
      await enter([toSeat("2"), toSeat("3")]);
      await comeBack();
      await publishRoster([]);
      await pass(RETURN_MS + 1000);
      expect(getRoom().people).toEqual([]);
    });

    test("that is refused when it is back ends the call with the reason, and turns the microphone off", async () => {
      const { call, socket, enter, stopMicrophone } = createTestCall();
      await enter();
      socket.become(TOPIC, "waiting");
      socket.become(TOPIC, "closed", { reason: "unauthorized", detail: "banned" });
      expect(call.store.getState()).toEqual({ phase: "outside", fault: { kind: "banned" } });
      expect(stopMicrophone).toHaveBeenCalled();
    });

    test("that closes without a word was left by another way", async () => {
      const { call, socket, enter, stopMicrophone } = createTestCall();
      await enter();
      socket.become(TOPIC, "closed");
      expect(call.store.getState()).toEqual({ phase: "over", ending: "left" });
      expect(stopMicrophone).toHaveBeenCalled();
    });
  });

  test("a later call takes no seat of the one before", async () => {
    const { call, socket, enter, answer } = createTestCall();
    await enter([toSeat("2")]);
    call.leave();
    await call.join({ isListening: false });
    expect(socket.getParams(TOPIC)).toEqual({ room_id: "r1", user_id: "5", display_name: "Ada" });
    socket.become(TOPIC, "joined", answer());
    expect(call.store.getState()).toMatchObject({ phase: "in", people: [], signalling: "connected" });
  });

  describe("a room that is mixed", () => {
    /** The mixer's file is there, as for the call that asked for it first. */
    const loadMixer = () => import("./links/mixer.ts");
    const roster = { participants: [toSeat("2"), toSeat("3"), toSeat("5", { status: "joining" })] };
    const enterMix = async () => {
      const page = createTestCall();
      await page.call.join({ isListening: false });
      const open = () => page.socket.become(TOPIC, "joined", page.answer({ engine: "mix" }));
      return { ...page, open };
    };

    test.each(["before", "behind"])("is linked once, where its file comes %s the roster", async (when) => {
      const { open, publish, settle, pass, connections, takeEvents, getRoom } = await enterMix();
      open();
      if (when === "before") {
        await loadMixer();
        await settle();
      }
      publish("roster_snapshot", roster);
      expect(takeEvents()).toEqual(["join", "ready"]);
      await loadMixer();
      await pass(500);
      expect([connections.length, takeEvents()]).toEqual([1, ["offer engine"]]);
      connections[0]?.connect();
      expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
        ["2", "connected"],
        ["3", "connected"],
      ]);
    });

    test("is linked once also where the channel is lost and back while its file is on its way", async () => {
      const { socket, open, publish, pass, takeEvents, connections } = await enterMix();
      open();
      publish("roster_snapshot", roster);
      socket.become(TOPIC, "waiting");
      open();
      publish("roster_snapshot", roster);
      takeEvents();
      await loadMixer();
      await pass(500);
      expect([connections.length, takeEvents()]).toEqual([1, ["offer engine"]]);
    });

    test("that was left before its file came is not linked, and leaves the next call alone", async () => {
      const { call, open, publish, settle, enter, takeEvents, connections } = await enterMix();
      open();
      publish("roster_snapshot", roster);
      call.leave();
      await loadMixer();
      await settle();
      expect(takeEvents()).toEqual(["join", "ready"]);
      await enter([toSeat("2"), toSeat("3")]);
      expect(connections.length).toBe(2);
    });

    test("knows no block and no mute for oneself alone: all of it is one sound", async () => {
      const page = createTestCall({}, { blocked: ["2"] });
      await page.enter([toSeat("2")], { engine: "mix" });
      await loadMixer();
      await page.pass(100);
      page.call.setMutedForMe("2", true);
      expect([page.call.isBlocked("2"), page.call.isMutedForMe("2")]).toEqual([false, false]);
      page.connections[0]?.connect();
      expect(page.getRoom().people).toMatchObject([{ user_id: "2", link: "connected" }]);
    });
  });
});

describe("call speech", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  describe("the microphone", () => {
    test("is muted and opened again by the person, and the others are notified once each", async () => {
      const { call, getRoom, enter, takeEvents } = createTestCall();
      await enter();
      await call.setMuted(true);
      await call.setMuted(true);
      expect([getRoom().me.isMuted, takeEvents()]).toEqual([true, ["mute"]]);
      await call.setMuted(false);
      expect([getRoom().me.isMuted, takeEvents()]).toEqual([false, ["unmute"]]);
    });

    test("goes out while the person speaks, to everybody, and the others are notified", async () => {
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
      const { call, speak, getRoom, publishRoster, enter, connections } = createTestCall();
      await enter([toSeat("2")]);
      await speak(true);
      await publishRoster([toSeat("2")], toSeat("5", { is_silenced: true }));
      expect([connections[0]?.track, getRoom().me]).toMatchObject([
        null,
        { isSilenced: true, isSpeaking: false },
      ]);
      await publishRoster([toSeat("2")]);
      expect([connections[0]?.track, getRoom().me.isSpeaking]).toEqual([call.sound.track, true]);
    });

    test("is muted when speaking stops, where that is wished", async () => {
      const { speak, getRoom, enter, takeEvents } = createTestCall({ auto_mute: true });
      await enter();
      await speak(true);
      expect(getRoom().me.isMuted).toBe(false);
      await speak(false);
      expect([getRoom().me, takeEvents().at(-1)]).toMatchObject([
        { isMuted: true, isSpeaking: false },
        "mute",
      ]);
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
      const { getRoom, publish, enter, settle, takeEvents } = createTestCall();
      await enter();
      publish("own_mute", { is_muted: true });
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
      expect(socket.takeSent()).toMatchObject([
        { event: "ready", payload: { devices: { microphone: true } } },
      ]);
      await call.setListening(true);
      expect([stopMicrophone.mock.calls.length, getRoom().me.isListening]).toEqual([1, true]);
      expect(socket.takeSent()).toMatchObject([
        { event: "ready", payload: { devices: { microphone: false } } },
      ]);
    });

    test("that is unplugged with no other one there is sent to the others, and again when one is back", async () => {
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
      expect(socket.takeSent()).toMatchObject([{ event: "text", payload: { text: "Hi" } }]);
      socket.pushes.answer = () => Promise.reject(new PushError("too_many_messages"));
      await expect(call.sendText("Hi")).rejects.toMatchObject({ reason: "too_many_messages" });
    });

    const takeLines = ({ socket }: ReturnType<typeof createTestCall>) =>
      socket.takeSent().flatMap(({ event, payload }) => (event === "text" ? [payload] : []));

    test.each(["nothing", "not_connected", "unmatched topic"])(
      "that comes to %s is sent again behind the next join, as the same one",
      async (reason) => {
        const page = createTestCall();
        const { call, socket, enter, answer, pass } = page;
        await enter();
        const sent = jest.fn();
        socket.pushes.answer = (event) => {
          if (event !== "text") return Promise.resolve();
          return reason === "nothing" ? new Promise(() => {}) : Promise.reject(new PushError(reason));
        };
        void call.sendText("Hi").then(sent);
        socket.become(TOPIC, "waiting");
        await pass(2000);
        const [line, ...more] = takeLines(page);
        expect([line, more]).toEqual([{ text: "Hi", key: "s5-1" }, []]);
        socket.pushes.answer = async () => undefined;
        socket.become(TOPIC, "joined", answer());
        await pass(0);
        expect([takeLines(page), sent.mock.calls.length]).toEqual([[line], 1]);
        socket.become(TOPIC, "joined", answer());
        await call.sendText("Hi");
        expect(takeLines(page)).toEqual([{ text: "Hi", key: "s5-2" }]);
      },
    );

    test("that nobody acknowledges is given back after 10 s, and stays the same line where it is tried again", async () => {
      const page = createTestCall();
      await page.enter();
      page.socket.pushes.answer = () => Promise.reject(new PushError("not_connected"));
      const given = page.call.sendText("Hi").catch((error: PushError) => error.reason);
      await page.pass(9999);
      page.socket.pushes.answer = async () => undefined;
      await page.pass(1);
      expect(await given).toBe("timeout");
      const [first] = takeLines(page);
      await page.call.sendText("Hi");
      expect(takeLines(page)).toEqual([first]);
    });
  });

  describe("whom one hears", () => {
    const enterAndReceive = async () => {
      const page = createTestCall();
      await page.enter([toSeat("2")]);
      page.connections[0]?.connect();
      await page.pass(500);
      return page;
    };

    test("is sent to the others once it changes", async () => {
      const { socket, pass } = await enterAndReceive();
      expect(socket.takeSent()).toEqual([{ event: "hearing", payload: { user_ids: ["2"] } }]);
      await pass(5000);
      expect(socket.takeSent()).toEqual([]);
    });

    test("is sent again where it did not arrive", async () => {
      const { call, socket, enter, connections, pass, takeEvents } = createTestCall();
      await enter([toSeat("2")]);
      socket.pushes.answer = () => Promise.reject(new PushError("timeout"));
      connections[0]?.connect();
      await pass(1000);
      expect(takeEvents()).toEqual(["hearing", "hearing"]);
      expect(call.store.getState()).toMatchObject({ isHearingKnown: true });
    });

    test("is sent to no server that does not know it", async () => {
      const { socket, enter, connections, pass, takeEvents, getRoom } = createTestCall();
      await enter([toSeat("2")]);
      socket.pushes.answer = () => Promise.reject(new PushError("unknown_event_type"));
      connections[0]?.connect();
      await pass(500);
      expect([takeEvents(), getRoom().isHearingKnown]).toEqual([["hearing"], false]);
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
      const { call, publish, enter } = createTestCall({ sounds });
      await enter([toSeat("2")]);
      const chime = jest.spyOn(call.sound, "chime").mockImplementation(() => undefined);
      publish("participant_joined", toSeat("8"));
      publish("roster_update", { added: [toSeat("8")] });
      publish("participant_left", { id: "s8", user_id: "8" });
      publish("roster_update", { removed: [{ id: "s8", user_id: "8" }] });
      expect(chime.mock.calls.map(([kind]) => kind)).toEqual(made);
    });

    test("are not shown of somebody who is apart, whatever is sent about them", async () => {
      const { call, publish, enter } = createTestCall({ sounds: true }, { blocked: ["8"] });
      await enter([toSeat("2")]);
      const chime = jest.spyOn(call.sound, "chime").mockImplementation(() => undefined);
      publish("apart", { user_ids: ["9"] });
      for (const name of ["8", "9"]) {
        publish("participant_joined", toSeat(name));
        publish("roster_update", { updated: [toSeat(name)] });
        publish("participant_left", { id: `s${name}`, user_id: name });
      }
      expect(chime).not.toHaveBeenCalled();
    });
  });
});
