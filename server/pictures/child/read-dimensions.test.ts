import { expect, test } from "@jest/globals";
import { createCanvas } from "@napi-rs/canvas";
import { makePhoto, makeTurnedPhoto } from "../fixture.ts";
import { readDimensions } from "./read-dimensions.ts";

/** Transparent and lossless: WebP's other two forms. */
function makeWebp(quality: number): Buffer {
  const context = createCanvas(321, 123).getContext("2d");
  context.fillRect(0, 0, 100, 100);
  return context.canvas.encodeSync("webp", quality);
}

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
