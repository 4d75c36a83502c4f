import { describe, expect, test } from "@jest/globals";
import { type Participant, participant, type RoomErrorCode } from "#contract/voice/room-channel.ts";
import { createRoomHandlers, type RoomHandlerDeps } from "./attendance.ts";
import { readMicrophoneFault, readRefusal } from "./faults.ts";
import { readFigures, toQuality } from "./links/links.ts";
import {
  countHearers,
  type InRoom,
  OUTSIDE,
  type RoomEvent,
  type RoomState,
  reduceRoom,
} from "./room-state.ts";
import { readDeviceSettings, writeDeviceSettings } from "./sound/speaker.ts";

describe("room state", () => {
  const toParticipant = (userId: string, more: Partial<Participant> = {}): Participant =>
    participant.parse({
      id: `seat-${userId}`,
      user_id: userId,
      display_name: userId,
      is_muted: false,
      ...more,
    });

  const ME = {
    participantId: "seat-1",
    userId: "1",
    isMuted: false,
    isSilenced: false,
    isSpeaking: false,
    isListening: false,
  };
  const JOINED: RoomEvent = { type: "joined", room: undefined, me: ME, canModerate: false };
  const run = (events: readonly RoomEvent[], from: RoomState = OUTSIDE) => events.reduce(reduceRoom, from);

  function enter(...others: Participant[]): InRoom {
    const state = run([
      { type: "join_began" },
      { type: "microphone_ready" },
      JOINED,
      { type: "roster", participants: [toParticipant("1"), ...others], keepMissing: false },
    ]);
    if (state.phase !== "in") throw new Error("not in the room");
    return state;
  }

  describe("joining", () => {
    test("goes from the microphone to the connection to the room", () => {
      const steps = [{ type: "join_began" }, { type: "microphone_ready" }, JOINED] as const;
      expect(steps.map((_, index) => run(steps.slice(0, index + 1)))).toMatchObject([
        { phase: "joining", step: "microphone" },
        { phase: "joining", step: "connection" },
        { phase: "in", signalling: "connected", people: [] },
      ]);
    });

    test("that fails leads back outside, with what stands against it", () => {
      const fault = { kind: "full" } as const;
      expect(run([{ type: "join_began" }, { type: "failed", fault }])).toEqual({ phase: "outside", fault });
    });

    test("that was given up is not entered by a late answer", () => {
      expect(run([{ type: "join_began" }, { type: "left" }, JOINED])).toBe(OUTSIDE);
    });
  });

  describe("the people", () => {
    test("are the others, in the order of joining, each once", () => {
      const state = enter(toParticipant("3", { join_number: 7 }), toParticipant("2", { join_number: 4 }));
      const again = run(
        [{ type: "seats", changed: [toParticipant("3", { join_number: 7 })], removed: [] }],
        state,
      );
      expect(again).toMatchObject({ people: [{ user_id: "2" }, { user_id: "3" }] });
    });

    test("keep their link when something else of them changes, and lose it with their seat", () => {
      const linked = run([{ type: "link", userId: "2", link: "connected" }], enter(toParticipant("2")));
      const renamed = run(
        [{ type: "seats", changed: [toParticipant("2", { display_name: "Two" })], removed: [] }],
        linked,
      );
      expect(renamed).toMatchObject({ people: [{ display_name: "Two", link: "connected" }] });
      const moved = run(
        [{ type: "seats", changed: [toParticipant("2", { id: "seat-new" })], removed: [] }],
        renamed,
      );
      expect(moved).toMatchObject({ people: [{ id: "seat-new", link: "none" }] });
    });

    test("go by their seat: a late word of the former one takes nobody away", () => {
      const state = enter(toParticipant("2", { id: "seat-new" }));
      const removed = [{ id: "seat-2", user_id: "2" }];
      expect(run([{ type: "seats", changed: [], removed }], state)).toMatchObject({
        people: [{ user_id: "2" }],
      });
    });

    test("stay behind a restart of the server, and go behind any other roster", () => {
      const state = enter(toParticipant("2"), toParticipant("3"));
      const roster = (keepMissing: boolean): RoomEvent => ({
        type: "roster",
        participants: [toParticipant("1"), toParticipant("3")],
        keepMissing,
      });
      expect(run([roster(true)], state)).toMatchObject({ people: [{ user_id: "2" }, { user_id: "3" }] });
      expect(run([roster(false)], state)).toMatchObject({ people: [{ user_id: "3" }] });
    });

    test("speak, mute and hear as they are sent; who isn't there changes nothing", () => {
      const state = enter(toParticipant("2"));
      expect(
        run(
          [
            { type: "speaking", userId: "2", isSpeaking: true },
            { type: "muted", userId: "2", isMuted: true },
            { type: "hearing", userId: "2", userIds: ["1"] },
          ],
          state,
        ),
      ).toMatchObject({ people: [{ is_speaking: true, is_muted: true, mute_state: "muted", hears: ["1"] }] });
      expect(run([{ type: "speaking", userId: "9", isSpeaking: true }], state)).toBe(state);
    });
  });

  describe("oneself", () => {
    test("is muted by oneself, and silenced by the moderators' word alone", () => {
      const roster = (is_silenced: boolean): RoomEvent => ({
        type: "seats",
        changed: [toParticipant("1", { is_silenced, is_muted: true })],
        removed: [],
      });
      const silenced = run([roster(true)], enter());
      expect(silenced).toMatchObject({ me: { isSilenced: true, isMuted: false } });
      expect(run([roster(false)], silenced)).toMatchObject({ me: { isSilenced: false, isMuted: false } });
    });

    test("keeps mute and texts when the channel is joined again", () => {
      const text = { id: "t", user_id: "2", display_name: "2", text: "hi", sent_at: "2026-11-20T12:00:00Z" };
      const state = run(
        [
          { type: "own", change: { isMuted: true } },
          { type: "text", text },
          { type: "signalling", signalling: "reconnecting" },
          { ...JOINED, me: { ...ME, participantId: "seat-1b" } },
        ],
        enter(toParticipant("2")),
      );
      expect(state).toMatchObject({
        signalling: "connected",
        me: { isMuted: true, participantId: "seat-1b" },
        texts: [text],
        people: [{ user_id: "2" }],
      });
    });

    test.each(["replaced", "removed", "banned", "room_closed"] as const)("is over after %s", (code) => {
      expect(run([{ type: "ended", code }], enter())).toEqual({ phase: "over", ending: code });
    });
  });

  test("a leaving of which the server was not notified is shown, unless one is in again", () => {
    const left = run([{ type: "left" }, { type: "leave_failed" }], enter());
    expect(left).toEqual({ phase: "over", ending: "left", isUnannounced: true });
    expect(run([{ type: "join_began" }, { type: "leave_failed" }], left)).toMatchObject({ phase: "joining" });
  });

  test("no more lines are kept than the server keeps", () => {
    const text = (id: number) => ({ id: String(id), user_id: "2", display_name: "", text: "", sent_at: "" });
    const state = run(
      Array.from({ length: 60 }, (_, id) => ({ type: "text", text: text(id) }) as const),
      enter(),
    );
    expect(state.phase === "in" && [state.texts.length, state.texts[0]?.id]).toEqual([50, "10"]);
  });

  test("a line that comes again is shown once, and those that the server has no more stay", () => {
    const line = (id: string, second: number, display_name = "Ben") => {
      const sent_at = new Date(second * 1000).toISOString();
      return { id, user_id: "2", display_name, text: id, sent_at };
    };
    const state = run(
      [
        { type: "text", text: line("a", 1) },
        { type: "text", text: line("c", 3) },
        { type: "texts", texts: [line("b", 2), line("c", 3, "Benjamin")] },
        { type: "text", text: line("a", 1) },
      ],
      enter(),
    );
    expect(
      state.phase === "in" && state.texts.map(({ id, display_name }) => `${id} ${display_name}`),
    ).toEqual([...["a Ben", "b Ben", "c Benjamin"]]);
  });

  describe("who hears oneself", () => {
    const hearing = (userId: string, userIds: string[]): RoomEvent => ({ type: "hearing", userId, userIds });
    const count = (state: RoomState) => (state.phase === "in" ? countHearers(state) : undefined);

    test("is counted of those who say whom they hear", () => {
      const state = run(
        [hearing("2", ["1", "3"]), hearing("3", [])],
        enter(toParticipant("2"), toParticipant("3")),
      );
      expect(count(state)).toEqual({ hearing: 1, all: 2 });
    });

    test("is not shown alone, without a microphone, or where nobody says it", () => {
      expect(count(enter())).toBeUndefined();
      expect(count(enter(toParticipant("2")))).toBeUndefined();
      const published = run([hearing("2", ["1"])], enter(toParticipant("2")));
      expect(count(run([{ type: "own", change: { isListening: true } }], published))).toBeUndefined();
      expect(count(run([{ type: "hearing_unknown" }], published))).toBeUndefined();
      expect(count(run([{ type: "own", change: { isMuted: true } }], published))).toBeUndefined();
      expect(count(run([{ type: "own", change: { isSilenced: true } }], published))).toBeUndefined();
    });

    test("does not show who is apart from whom", () => {
      const state = run(
        [hearing("2", ["1"]), { type: "apart", userIds: ["3"] }],
        enter(toParticipant("2"), toParticipant("3")),
      );
      expect(count(state)).toEqual({ hearing: 1, all: 1 });
    });
  });
});

describe("small parts", () => {
  test.each([
    [{ reason: "failed_to_join_room", detail: "full" }, "full"],
    [{ reason: "failed_to_join_room", detail: "closed" }, "closed"],
    [{ reason: "unauthorized", detail: "banned" }, "banned"],
    [{ reason: "room_not_found" }, "room_not_found"],
    [{ reason: "unauthorized", detail: "ticket" }, "unauthorized"],
    [{ reason: "timeout" }, "join_timeout"],
    [{ reason: "failed_to_join_room", detail: "a word of a later server" }, "failed"],
    [undefined, "failed"],
  ])("a refusal %j is read as %s", (answer, kind) => {
    expect(readRefusal(answer)).toEqual({ kind });
  });

  test.each([
    ["NotAllowedError", { kind: "microphone_refused" }],
    ["NotFoundError", { kind: "no_microphone" }],
    ["NotReadableError", { kind: "audio", reason: "busy" }],
  ])("%s of the browser is said in words", (name, fault) => {
    expect(readMicrophoneFault(Object.assign(new Error("busy"), { name }), true)).toEqual(fault);
  });

  test("a page without https is shown that this is why", () => {
    expect(readMicrophoneFault(new TypeError("undefined"), false)).toEqual({ kind: "insecure_page" });
  });

  test.each<[object, { ended?: RoomErrorCode; complaint?: string }]>([
    [{ code: "banned", message: "No." }, { ended: "banned" }],
    [{ code: "muted", message: "Hush." }, {}],
    [{ code: "overheated", message: "It is hot." }, { complaint: "It is hot." }],
    [{ reason: "rate_limited" }, { complaint: "rate_limited" }],
  ])("what the server says went wrong, %j, ends the call or is shown", (payload, expected) => {
    const received: typeof expected = {};
    const handlers = createRoomHandlers({
      end: (code) => {
        received.ended = code;
      },
      dispatch: (event) => {
        if (event.type === "complaint") received.complaint = event.text ?? "";
      },
    } as RoomHandlerDeps);
    expect(handlers.error?.(payload)).toBe(true);
    expect(received).toEqual(expected);
  });

  test("quality is of the time between two readings", () => {
    const stats = (packetsReceived: number, packetsLost: number) =>
      new Map<string, object>([
        ["in", { type: "inbound-rtp", kind: "audio", packetsReceived, packetsLost }],
        [
          "pair",
          {
            type: "candidate-pair",
            nominated: true,
            state: "succeeded",
            currentRoundTripTime: 0.0421,
            remoteCandidateId: "theirs",
          },
        ],
        ["theirs", { type: "remote-candidate", candidateType: "relay" }],
        ["other", { type: "candidate-pair", nominated: false, state: "succeeded", currentRoundTripTime: 9 }],
      ]) as unknown as RTCStatsReport;
    const before = readFigures(stats(100, 50));
    expect(toQuality(readFigures(stats(190, 60)), before, 81.4)).toEqual({
      firstAudioMs: 81,
      lossPercent: 10,
      roundTripMs: 42,
      isRelayed: true,
    });
    expect(toQuality(before, before, undefined)).toEqual({
      firstAudioMs: undefined,
      lossPercent: 0,
      roundTripMs: 42,
      isRelayed: true,
    });
  });

  test("a browser that keeps nothing, or something else, has no settings and no fault", () => {
    const barred = {
      getItem(): string {
        throw new Error("barred");
      },
      setItem() {
        throw new Error("barred");
      },
    };
    expect(readDeviceSettings(barred)).toEqual({ volumes: {}, mutedForMe: [] });
    expect(readDeviceSettings({ getItem: () => '{"volumes":{"2":9}}' })).toEqual({
      volumes: {},
      mutedForMe: [],
    });
    expect(writeDeviceSettings({ volumes: { 2: 0.5 }, mutedForMe: [] }, barred)).toBe(false);
  });
});
