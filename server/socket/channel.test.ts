import { describe, expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { accept, createTopicTable, declareChannel, readPayload } from "./channel.ts";

describe("channel", () => {
  const declare = (topic: string) =>
    declareChannel({ topic, sends: { any: z.unknown() }, join: () => accept(undefined), events: {} });

  const find = createTopicTable(["voice:lobby", "voice:room:{room}", "admin:{model}"].map(declare));

  test.each<[string, string | undefined, object | undefined]>([
    ["voice:lobby", "voice:lobby", {}],
    ["voice:room:r1", "voice:room:{room}", { room: "r1" }],
    ["voice:room:9-ğ 7", "voice:room:{room}", { room: "9-ğ 7" }],
    ["admin:cv.certificate", "admin:{model}", { model: "cv.certificate" }],
    ["voice:room:", undefined, undefined],
    ["voice:room:a:b", undefined, undefined],
    ["voice:lobby2", undefined, undefined],
    ["xadmin:cv", undefined, undefined],
    ["admin:a\nadmin:b", undefined, undefined],
    ["", undefined, undefined],
  ])("%p belongs to %p", (topic, channel, params) => {
    const match = find(topic);
    expect(match?.channel.topic).toBe(channel);
    expect(match?.params).toEqual(params);
  });

  test("a topic with other signs is refused when it is declared", () => {
    expect(() => createTopicTable([declare("room.*")])).toThrow("room.*");
  });
});

describe("event payload", () => {
  const offer = z.object({
    target_user_id: z.string(),
    offer: z.object({ type: z.literal("offer"), sdp: z.string() }),
    note: z.optional(z.string()),
  });
  const good = { target_user_id: "7", offer: { type: "offer", sdp: "v=0" } };

  test("a payload is what its schema makes of it", () => {
    expect(readPayload(offer, { ...good, more: 1 })).toEqual({ isValid: true, payload: good });
  });

  test.each<[string, unknown, string]>([
    ["nothing", null, "missing_required_fields"],
    ["a text", "hello", "missing_required_fields"],
    ["an array", [], "missing_required_fields"],
    ["no field", {}, "missing_required_fields"],
    ["a field less, deep inside", { ...good, offer: { type: "offer" } }, "missing_required_fields"],
    ["a gap and a fault", { target_user_id: 7 }, "missing_required_fields"],
    ["a field of another kind", { ...good, target_user_id: 7 }, "invalid_offer_format"],
    ["null in a field", { ...good, target_user_id: null }, "invalid_offer_format"],
    ["a wrong value", { ...good, offer: { type: "answer", sdp: "v=0" } }, "invalid_offer_format"],
    ["a wrong field that may be left out", { ...good, note: 5 }, "invalid_offer_format"],
    ["a field inherited from nowhere", { ...good, offer: "toString" }, "invalid_offer_format"],
  ])("%s is refused", (_what, payload, reason) => {
    expect(readPayload(offer, payload, "invalid_offer_format")).toEqual({ isValid: false, reason });
  });
});
