import { expect, test } from "@jest/globals";
import type { RoomErrorCode } from "#contract/voice-channel.ts";
import { readMicrophoneFault, readRefusal } from "./faults.ts";
import { readFigures, toQuality } from "./links/link-figures.ts";
import { createRoomHandlers, type RoomHandlerParts } from "./room-handlers.ts";
import { readDeviceSettings, writeDeviceSettings } from "./sound/own-settings.ts";

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
])("%s of the browser is told in words", (name, fault) => {
  expect(readMicrophoneFault(Object.assign(new Error("busy"), { name }), true)).toEqual(fault);
});

test("a page without https is told that this is why", () => {
  expect(readMicrophoneFault(new TypeError("undefined"), false)).toEqual({ kind: "insecure_page" });
});

test.each<[object, { ended?: RoomErrorCode; complaint?: string }]>([
  [{ code: "banned", message: "No." }, { ended: "banned" }],
  [{ code: "muted", message: "Hush." }, {}],
  [{ code: "overheated", message: "It is hot." }, { complaint: "It is hot." }],
  [{ reason: "rate_limited" }, { complaint: "rate_limited" }],
])("what the server says went wrong, %j, ends the call or is shown", (payload, expected) => {
  const heard: typeof expected = {};
  const handlers = createRoomHandlers({
    end: (code) => {
      heard.ended = code;
    },
    dispatch: (event) => {
      if (event.type === "complaint") heard.complaint = event.text ?? "";
    },
  } as RoomHandlerParts);
  expect(handlers.error?.(payload)).toBe(true);
  expect(heard).toEqual(expected);
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
