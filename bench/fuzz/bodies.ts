import { mutate } from "../socket/fuzz-text.ts";
import type { SeededRandom } from "../socket/seeded-random.ts";
import { fromSchema, PROTOTYPE_NAMES, type Schema, toHostile, toMonster } from "./values.ts";

/** What is sent behind the head, and what the head says of it. */
export interface Body {
  type: string | undefined;
  bytes: Buffer;
}

const JSON_TYPE = "application/json";
const ODD_TYPES = [
  "application/json; charset=utf-16",
  'application/json; charset="',
  "application/json;;;=",
  "APPLICATION/JSON",
  "application/problem+json",
  "text/plain",
  "text/html",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary="a',
  "application/octet-stream",
  "application/x-ndjson",
  "/",
  "json",
  "",
  "application/csp-report",
  "application/reports+json",
] as const;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Beginnings by which a kind of file is known. */
const FILE_HEADS: readonly [Buffer, ...Buffer[]] = [
  PNG,
  PNG.subarray(0, 40),
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
  Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n"),
  Buffer.from("RIFF\xff\xff\xff\xffWEBPVP8 ", "latin1"),
  Buffer.from("GIF89a\x01\x00\x01\x00\x80\x00\x00", "latin1"),
  Buffer.from("\x00\x00\x00\x20ftypavif\x00\x00\x00\x00avifmif1", "latin1"),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  Buffer.from("PK\x03\x04\x14\x00", "latin1"),
  Buffer.alloc(0),
];

const toFile = (random: SeededRandom) =>
  Buffer.concat([random.pick(FILE_HEADS), random.bytes(random.below(300))]);

function toPart(random: SeededRandom, names: readonly string[]): Buffer {
  const name = random.pick<string>(["file", "avatar", "bio", "", ...PROTOTYPE_NAMES, ...names]);
  const quoted = random.chance(90) ? `"${name}"` : `"${name}`;
  const fileName = random.pick([
    "a.png",
    "../../x.png",
    "a\\b.pdf",
    'q"q.png',
    "ı\u0000.png",
    `${"n".repeat(3_000)}.png`,
    "",
  ]);
  const isFile = random.chance(50);
  const head = [
    random.chance(95)
      ? `Content-Disposition: form-data; name=${quoted}${isFile ? `; filename="${fileName}"` : ""}`
      : "Content-Disposition: attachment",
    ...(random.chance(50)
      ? [`Content-Type: ${random.pick(["image/png", "application/pdf", "text/plain; charset=x", "///"])}`]
      : []),
    ...(random.chance(5) ? ["Content-Transfer-Encoding: base64"] : []),
    ...(random.chance(3) ? [`X-Long: ${"h".repeat(20_000)}`] : []),
  ].join("\r\n");
  const content = isFile ? toFile(random) : Buffer.from(toHostile(random));
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), content, Buffer.from("\r\n")]);
}

/** Parts as a form sends them, whole or not. */
function toMultipart(random: SeededRandom, names: readonly string[]): Body {
  const boundary = random.chance(95) ? "fuzz-0123456789" : "x".repeat(1 + random.below(90));
  const count = random.chance(95) ? random.below(4) : 1_500;
  const one = toPart(random, names);
  const parts = Array.from({ length: count }, () => {
    const part = count > 10 ? one : toPart(random, names);
    return Buffer.concat([Buffer.from(`--${boundary}\r\n`), part]);
  });
  let bytes: Buffer = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  if (random.chance(25)) bytes = bytes.subarray(0, random.below(bytes.length + 1));
  else if (random.chance(10)) bytes = mutate(random, bytes);
  const named = random.chance(92) ? boundary : random.pick(["other", '"', "", "a b"]);
  return { type: `multipart/form-data; boundary=${named}`, bytes };
}

function toForm(random: SeededRandom, names: readonly string[]): Body {
  const name = () => random.pick<string>(["a", "a[]", "a[b][c]", ...PROTOTYPE_NAMES, ...names]);
  const value = () =>
    random.pick([
      "1",
      "%",
      "%zz",
      "%00",
      "%ED%A0%80",
      "%ff",
      "+%26".repeat(random.below(500)),
      "somebody%40example.org",
      "a".repeat(random.below(600)),
    ]);
  const count = random.chance(95) ? random.below(8) : 5_000;
  const text = Array.from({ length: count }, () => `${name()}=${value()}`).join("&");
  return { type: "application/x-www-form-urlencoded", bytes: Buffer.from(text) };
}

const json = (text: string | Buffer): Body => ({ type: JSON_TYPE, bytes: Buffer.from(text) });

/** The body of a call that wants one of this type and shape. */
export function toBody(random: SeededRandom, type: string, schema: Schema): Body {
  const names = Object.keys(schema.properties ?? {});
  const make = (odds: number) => fromSchema({ random, odds }, schema);
  const kind = random.below(100);
  if (type !== JSON_TYPE && kind < 75)
    return type.startsWith("multipart") ? toMultipart(random, names) : toForm(random, names);
  if (kind < 20) return json(make(0));
  if (kind < 62) return json(make(8));
  if (kind < 70) return json(make(30));
  if (kind < 78) return json(mutate(random, Buffer.from(make(0))));
  if (kind < 83) return json(toHostile(random));
  if (kind < 86) return json(toMonster(random));
  if (kind < 88) return json("");
  if (kind < 90) return json(Buffer.concat([Buffer.from('{"a":"'), random.bytes(20), Buffer.from('"}')]));
  if (kind < 93) return toMultipart(random, names);
  if (kind < 95) return toForm(random, names);
  if (kind < 97) return { type: undefined, bytes: Buffer.from(make(5)) };
  return { type: random.pick(ODD_TYPES as unknown as [string, ...string[]]), bytes: Buffer.from(make(5)) };
}
