import { OBSERVED_ROOM, toTopic } from "./room-channel.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** What messages are made of: those of the bench's own rooms where not said. */
export interface FuzzWords {
  events: readonly [string, ...string[]];
  /** Where the sender may have no business. */
  foreignTopics: readonly [string, ...string[]];
  /** A good message, in its five parts. */
  toValid(fuzzer: Fuzzer): unknown[];
}

/** A sender of a fuzz: it is joined to `topic`, or tries to be. */
export interface Fuzzer {
  random: SeededRandom;
  topic: string;
  words?: FuzzWords;
}

const EVENTS = [
  "speaking",
  "offer",
  "phx_join",
  "phx_leave",
  "heartbeat",
  "phx_reply",
  "phx_close",
  "phx_error",
  "presence_state",
  "presence_diff",
  "participant_speaking",
  "constructor",
  "__proto__",
  "toString",
  "",
] as const;

const FOREIGN_TOPICS = [
  toTopic(OBSERVED_ROOM),
  "phoenix",
  toTopic(""),
  toTopic("a:b"),
  toTopic("__proto__"),
  "__proto__",
  "admin:cv.certificate",
  "",
] as const;

/** Written into the text as they are: JSON that no serializer would write, and some that is none. */
const RAW_VALUES = [
  "null",
  "true",
  "0",
  "-0",
  "1e400",
  "9007199254740993",
  '"1"',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"🎙️ ıİ"',
  "[]",
  "{}",
  '{"__proto__":{"is_speaking":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"is_speaking":1,"seq":"1","sent_at_us":null}',
  '{"is_speaking":true,"seq":-1,"sent_at_us":1e400}',
  '{"is_speaking":true}',
  '[[["a"]]]',
  "undefined",
  "NaN",
  "",
] as const;

const MAX_DEPTH = 20_000;
const MAX_TEXT = 70_000;

export function toValidText(fuzzer: Fuzzer): string {
  return JSON.stringify((fuzzer.words ?? ROOM_WORDS).toValid(fuzzer));
}

function toRoomMessage({ random, topic }: Fuzzer): unknown[] {
  const payload = { is_speaking: random.chance(50), seq: random.below(1000), sent_at_us: random.below(1e6) };
  const messages: [unknown[], ...unknown[][]] = [
    ["1", String(random.below(99)), topic, "speaking", payload],
    [null, String(random.below(99)), topic, "speaking", payload],
    [
      "1",
      String(random.below(99)),
      topic,
      "offer",
      { target_user_id: "1", offer: "o".repeat(random.below(99)) },
    ],
    [null, String(random.below(99)), "phoenix", "heartbeat", {}],
    ["1", "1", topic, "phx_join", {}],
    ["1", "2", topic, "phx_leave", {}],
    // Pushes and joins where it has no business.
    ["1", "3", toTopic(OBSERVED_ROOM), "speaking", payload],
    ["1", "1", toTopic(OBSERVED_ROOM), "phx_join", {}],
  ];
  return random.pick(messages);
}

const ROOM_WORDS: FuzzWords = { events: EVENTS, foreignTopics: FOREIGN_TOPICS, toValid: toRoomMessage };

function toStructuredText({ random, topic, words = ROOM_WORDS }: Fuzzer): string {
  const raw = () => random.pick(RAW_VALUES);
  const ref = () => (random.chance(60) ? '"1"' : raw());
  const toTopicText = () => {
    if (random.chance(50)) return JSON.stringify(topic);
    return random.chance(50) ? JSON.stringify(random.pick(words.foreignTopics)) : raw();
  };
  const event = random.chance(80) ? JSON.stringify(random.pick(words.events)) : raw();
  const parts = [ref(), ref(), toTopicText(), event, raw(), raw()];
  return `[${parts.slice(0, random.chance(85) ? 5 : random.below(7)).join(",")}]`;
}

function toLargeText({ random, topic }: Fuzzer): string {
  const depth = 1 + random.below(MAX_DEPTH);
  const length = random.below(MAX_TEXT);
  const payload = random.pick<() => string>([
    () => "[".repeat(depth) + "]".repeat(depth),
    () => "[".repeat(depth),
    () => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    () => JSON.stringify({ is_speaking: true, seq: 1, sent_at_us: 1, x: "n".repeat(length) }),
    () => `{${Array.from({ length: length / 20 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
  ])();
  return random.chance(80)
    ? `["1","9",${JSON.stringify(topic)},"speaking",${payload}]`
    : `["1","9","${"t".repeat(length)}","${"e".repeat(300)}",{}]`;
}

/** Flips, drops, doubles and adds single bytes. */
export function mutate(random: SeededRandom, bytes: Buffer): Buffer {
  let mutated = bytes;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const place = random.below(mutated.length + 1);
    const [head, tail] = [mutated.subarray(0, place), mutated.subarray(place)];
    mutated = random.pick<() => Buffer>([
      () => Buffer.concat([head, random.bytes(1), tail.subarray(1)]),
      () => Buffer.concat([head, tail.subarray(1 + random.below(4))]),
      () => Buffer.concat([head, head.subarray(-4), tail]),
      () => Buffer.concat([head, random.bytes(1 + random.below(4)), tail]),
    ])();
  }
  return mutated;
}

/** The content of a text message, which may be no UTF-8 at all. */
export function toFuzzText(fuzzer: Fuzzer): Buffer {
  const { random } = fuzzer;
  const kind = random.below(100);
  if (kind < 15) return Buffer.from(toValidText(fuzzer));
  if (kind < 45) return mutate(random, Buffer.from(toValidText(fuzzer)));
  if (kind < 90) return Buffer.from(toStructuredText(fuzzer));
  if (kind < 93) return Buffer.from(toLargeText(fuzzer));
  return Buffer.concat([Buffer.from(toValidText(fuzzer)), random.bytes(1 + random.below(6))]);
}

/** A binary push, whose header may lie about the lengths behind it. */
export function toFuzzBinary({ random, topic, words = ROOM_WORDS }: Fuzzer): Buffer {
  const names = ["1", "2", topic, random.pick(words.events)].map((name) => Buffer.from(name));
  const lengths = names.map((name) => (random.chance(85) ? name.length : random.below(256)));
  const kind = random.chance(85) ? 0 : random.below(256);
  const whole = Buffer.concat([Buffer.from([kind, ...lengths]), ...names, random.bytes(random.below(64))]);
  return random.chance(70) ? whole : whole.subarray(0, random.below(whole.length));
}
