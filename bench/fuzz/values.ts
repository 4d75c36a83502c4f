import type { SeededRandom } from "../socket/seeded-random.ts";

/** A JSON schema as OpenAPI has it, as far as values are made from it. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

type Texts = [string, ...string[]];

/** Names that objects have by themselves. */
export const PROTOTYPE_NAMES: Texts = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
];

/** Values as JSON text: of any wrong type, at the ends of ranges, and some that no serializer would write. */
const RAW_VALUES: Texts = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e400",
  "-1e400",
  "1e-400",
  "2147483648",
  "-2147483649",
  "9007199254740993",
  "99999999999999999999999999",
  '""',
  '" "',
  '"0"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\udfffb"',
  '"\\ud83d\\ude00"',
  '"\\u202e\\u2066"',
  '"ı İ ẞ ﬀ"',
  '"\'; DROP TABLE account_user; --"',
  '"%s%n%x"',
  '"\\\\"',
  '"$1 $& {{name}}"',
  '"<script>alert(1)</script>"',
  '"../../etc/passwd"',
  '"0000-00-00"',
  '"2024-02-30"',
  '"99999-01-01T00:00:00Z"',
  '"-271821-04-20T00:00:00.000Z"',
  '"2024-01-01T25:61:61+99:99"',
  '"infinity"',
  '"NaN"',
  '"javascript:alert(1)"',
  '"http://[::1"',
  '"a@b"',
  '"00000000-0000-0000-0000-000000000000"',
  "[]",
  "{}",
  "[null]",
  "[[[[[[[[[[]]]]]]]]]]",
  "[1,2,3]",
  '{"a":{"b":{"c":{}}}}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"valueOf":2,"length":-1}',
  '{"en":"\\u0000","tr":1}',
  '{"then":"x"}',
  '{"toJSON":1}',
];

/** Texts that some field takes. */
const PLAIN_TEXTS: Texts = [
  "a",
  "en",
  "tr",
  "1",
  "10",
  "title",
  "id",
  "csv",
  "Correct-Horse-1",
  "fuzz_user",
  "somebody@example.org",
  "https://example.org/a",
  "#112233",
  "2024-01-02",
  "2024-01",
  "2024-01-02T03:04:05Z",
  "123456",
  "terms",
  "Çok güzel bir metin",
  "# A title\n\n*text* [link](https://example.org)",
];

const toText = (value: unknown) => JSON.stringify(value) ?? "null";

/** A text that is too long for most things. */
function toLong(random: SeededRandom, most: number): string {
  const sign = random.pick(["a", "\u0130", "\ud83d\ude00", " ", "&", "\\", '"', "*a_ ", ">", "a@", "["]);
  return sign.repeat(1 + random.below(Math.max(1, Math.floor(most / Buffer.byteLength(sign)))));
}

export function toHostile(random: SeededRandom): string {
  if (random.chance(92)) return random.pick(RAW_VALUES);
  return toText(toLong(random, random.chance(90) ? 2_000 : 40_000));
}

/** How a value is made: `odds` percent of all its parts are hostile. */
export interface Making {
  random: SeededRandom;
  odds: number;
}

function toPlain({ random }: Making, { format, maxLength = 200, pattern }: Schema): string {
  if (format === "date-time") return toText("2024-01-02T03:04:05Z");
  if (format === "email") return toText(`fuzz_${random.below(40)}@example.org`);
  if (format === "uuid") return toText(`00000000-0000-4000-8000-00000000000${random.below(10)}`);
  if (random.chance(6)) return toText("x".repeat(Math.min(maxLength, 20_000)));
  if (pattern?.startsWith("^\\d") && random.chance(70)) return toText(String(random.below(40)));
  return toText(random.pick(PLAIN_TEXTS));
}

function toInteger({ random }: Making, { minimum = 0, maximum = 2 ** 31 }: Schema): string {
  const [least, most] = [Math.max(minimum, -9), Math.min(maximum, 60)];
  return random.pick([
    String(Math.round(least + random.below(Math.max(1, Math.floor(most - least) + 1)))),
    String(least),
    random.chance(10) ? String(minimum) : String(least),
    random.chance(10) ? String(maximum) : String(most),
  ]);
}

function toArray(making: Making, { items = {} }: Schema): string {
  const { random } = making;
  const length = random.chance(3) ? 200 + random.below(2_000) : random.below(4);
  const one = fromSchema(making, items);
  // Long ones say the same again and again: making each would cost more than what is measured.
  return `[${Array.from({ length }, () => (length > 50 ? one : fromSchema(making, items))).join(",")}]`;
}

function toObject(making: Making, schema: Schema): string {
  const { random, odds } = making;
  const { properties = {}, required = [], additionalProperties } = schema;
  const parts: string[] = [];
  const add = (name: string, value: string) => parts.push(`${toText(name)}:${value}`);
  for (const [name, property] of Object.entries(properties)) {
    const isGiven = required.includes(name) ? !random.chance(odds / 3) : random.chance(60);
    if (isGiven) add(name, fromSchema(making, property));
    if (random.chance(odds / 5)) add(name, toHostile(random)); // twice
  }
  if (additionalProperties) {
    const inner = additionalProperties === true ? {} : additionalProperties;
    for (let count = random.below(4); count > 0; count--)
      add(random.pick(PLAIN_TEXTS), fromSchema(making, inner));
  }
  if (random.chance(odds / 2)) add(random.pick(PROTOTYPE_NAMES), toHostile(random));
  return `{${parts.join(",")}}`;
}

/** A value as JSON text that fits the schema but for its hostile parts. */
export function fromSchema(making: Making, schema: Schema): string {
  const { random, odds } = making;
  if (random.chance(odds)) return toHostile(random);
  if (schema.enum) return toText(random.pick(schema.enum as [unknown, ...unknown[]]));
  if (schema.const !== undefined) return toText(schema.const);
  if (schema.anyOf) return fromSchema(making, random.pick(schema.anyOf as [Schema, ...Schema[]]));
  const type = Array.isArray(schema.type) ? random.pick(schema.type as Texts) : schema.type;
  switch (type) {
    case "string":
      return toPlain(making, schema);
    case "integer":
    case "number":
      return toInteger(making, schema);
    case "boolean":
      return random.pick(["true", "false"]);
    case "null":
      return "null";
    case "array":
      return toArray(making, schema);
    case "object":
      return toObject(making, schema);
    default:
      return random.chance(50) ? toText(random.pick(PLAIN_TEXTS)) : toHostile(random);
  }
}

/** Deep, huge and crowded JSON. */
export function toMonster(random: SeededRandom): string {
  const depth = 1 + random.below(random.chance(90) ? 2_000 : 120_000);
  return random.pick<() => string>([
    () => "[".repeat(depth) + "]".repeat(depth),
    () => "[".repeat(depth),
    () => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    () => `[${"1,".repeat(depth)}1]`,
    () =>
      `{${Array.from({ length: Math.min(depth, 20_000) }, (_, index) => `"k${index}":${index}`).join(",")}}`,
    () => toText(toLong(random, random.chance(90) ? 20_000 : 1_100_000)),
    () => `{"name":${toText(toLong(random, 60_000))}}`,
    () => "9".repeat(depth),
  ])();
}
