import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { createEncoder } from "./encoder.ts";

const TEXT = Array.from(
  { length: 400 },
  (_, index) => `<li>certificate ${index * 7919} of ${index}</li>`,
).join("");

test("each coding gives the same text back", async () => {
  const encode = createEncoder(Buffer.from(TEXT));
  expect(String(brotliDecompressSync(await encode("br")))).toBe(TEXT);
  expect(String(gunzipSync(await encode("gzip")))).toBe(TEXT);
});

test("a text that is asked for again gets smaller, and is the same", async () => {
  const encode = createEncoder(Buffer.from(TEXT));
  const first = await encode("br");
  expect(await encode("br")).toBe(first);
  let last = first;
  for (let round = 0; round < 200 && last === first; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    last = await encode("br");
  }
  expect(last.length).toBeLessThan(first.length);
  expect(String(brotliDecompressSync(last))).toBe(TEXT);
});
