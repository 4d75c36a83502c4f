import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { accept, declareChannel } from "./channel.ts";
import { createTopicTable } from "./topic.ts";

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
