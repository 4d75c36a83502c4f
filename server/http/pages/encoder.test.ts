import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { createEncoders, type Encode } from "./encoder.ts";

const TEXT = Array.from(
  { length: 400 },
  (_, index) => `<li>certificate ${index * 7919} of ${index}</li>`,
).join("");

/** Asks until there is another brotli than the one before. */
async function waitForBetter(encode: Encode, before: Buffer): Promise<Buffer> {
  let last = before;
  await until(async () => {
    last = await encode("br");
    return last !== before;
  });
  return last;
}

test("each coding gives the same text back", async () => {
  const encode = createEncoders()(Buffer.from(TEXT));
  expect(String(brotliDecompressSync(await encode("br")))).toBe(TEXT);
  expect(String(gunzipSync(await encode("gzip")))).toBe(TEXT);
});

test("a text that is asked for again gets smaller, and is the same", async () => {
  const encode = createEncoders()(Buffer.from(TEXT));
  const first = await encode("br");
  expect(await encode("br")).toBe(first);
  const last = await waitForBetter(encode, first);
  expect(last.length).toBeLessThan(first.length);
  expect(String(brotliDecompressSync(last))).toBe(TEXT);
});

test("one text is made smaller at a time, the next one when it is asked for again", async () => {
  const toEncode = createEncoders();
  const [long, short] = [toEncode(Buffer.from(TEXT.repeat(20))), toEncode(Buffer.from(TEXT))];
  const [firstLong, firstShort] = [await long("br"), await short("br")];
  await Promise.all([long("br"), short("br")]);
  expect((await waitForBetter(long, firstLong)).length).toBeLessThan(firstLong.length);
  expect(await short("br")).toBe(firstShort);
  expect((await waitForBetter(short, firstShort)).length).toBeLessThan(firstShort.length);
});
