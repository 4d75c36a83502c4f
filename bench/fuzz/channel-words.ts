import * as z from "zod";
import { toLiveTopic } from "#contract/content/objects.ts";
import { toRoomTopic } from "#contract/voice/room-channel.ts";
import { joinPayload, ROOM_EVENTS } from "#contract/voice/room-events.ts";
import { LOBBY_TOPIC } from "#contract/voice/rooms.ts";
import type { Fuzzer, FuzzWords } from "../socket/fuzz-text.ts";
import { fromSchema, PROTOTYPE_NAMES, type Schema } from "./values.ts";

const toSchema = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as Schema;
const JOIN = toSchema(joinPayload);
const EVENTS = Object.entries(ROOM_EVENTS).map(([name, schema]) => ({ name, schema: toSchema(schema) }));
const BY_PROTOCOL = [
  "phx_join",
  "phx_leave",
  "phx_reply",
  "phx_close",
  "phx_error",
  "heartbeat",
  "presence_diff",
];

/** A good message of a room's channel, or one that enters or leaves it. Hostile parts come from the fuzz around it. */
function toRoomMessage({ random, topic }: Fuzzer): unknown[] {
  const ref = String(random.below(99));
  const make = (schema: Schema): unknown =>
    JSON.parse(fromSchema({ random, odds: random.chance(60) ? 0 : 15 }, schema));
  const kind = random.below(100);
  if (kind < 12) return [ref, ref, topic, "phx_join", make(JOIN)];
  if (kind < 16) return ["1", ref, topic, "phx_leave", {}];
  if (kind < 22) return [null, ref, "phoenix", "heartbeat", {}];
  const [first, ...others] = EVENTS;
  if (!first) throw new Error("a room has no events");
  const { name, schema } = random.pick([first, ...others]);
  return ["1", ref, topic, name, make(schema)];
}

/** What the product's channels are called by. */
export function toChannelWords(models: readonly string[]): FuzzWords {
  return {
    events: ["changed", ...EVENTS.map(({ name }) => name), ...BY_PROTOCOL, ...PROTOTYPE_NAMES, ""],
    foreignTopics: [
      LOBBY_TOPIC,
      "phoenix",
      toRoomTopic(""),
      toRoomTopic("a:b"),
      toRoomTopic("__proto__"),
      toLiveTopic(""),
      toLiveTopic("__proto__"),
      toLiveTopic("accounts.user"),
      ...models.map(toLiveTopic),
      "__proto__",
      "",
    ],
    toValid: toRoomMessage,
  };
}
