import { expect, test } from "@jest/globals";
import { createCanvas } from "@napi-rs/canvas";
import { makePhoto, makeTurnedPhoto } from "../fixture.ts";
import { readDimensions } from "./dimensions.ts";

/** Transparent and lossless: WebP's other two forms. */
function makeWebp(quality: number): Buffer {
  const context = createCanvas(321, 123).getContext("2d");
  context.fillRect(0, 0, 100, 100);
  return context.canvas.encodeSync("webp", quality);
}

/** 8 MB that are all marks, or all boxes: bytes that cost their reader the most. */
function fillWith(head: string, unit: string): Buffer {
  const bytes = Buffer.alloc(8 * 1024 * 1024, Buffer.from(unit, "hex"));
  bytes.write(head, "hex");
  return bytes;
}

test.each([
  ["a JPEG of nothing but marks", () => fillWith("ffd8", "ff"), "too many marks"],
  ["a JPEG of empty segments", () => fillWith("ffd8", "ffe00002"), "too many marks"],
  [
    "an AVIF of empty boxes",
    () => fillWith("00000010667479706176696600000000", "0000000866726565"),
    "too many boxes",
  ],
])("%s is given up before it costs time", (_, make, fault) => {
  expect(() => readDimensions(make())).toThrow(fault);
});

test.each([
  ["PNG", () => makePhoto("png", 321, 123)],
  ["JPEG", () => makePhoto("jpeg", 321, 123)],
  ["JPEG with EXIF", () => makeTurnedPhoto(321, 123)],
  ["WebP", () => makePhoto("webp", 321, 123)],
  ["WebP with transparency", () => makeWebp(80)],
  ["lossless WebP", () => makeWebp(101)],
])("%s says its size", (_, make) => {
  expect(readDimensions(make())).toEqual({ width: 321, height: 123 });
});
