import { expect, test } from "@jest/globals";
import { createCanvas } from "@napi-rs/canvas";
import { makeAnimatedWebp, makePhoto, makePngBomb, makeTurnedPhoto, readPicture } from "../fixture.ts";
import { PORTRAIT_SHAPES, type PortraitShape } from "./dimensions.ts";
import { drawPortrait } from "./draw-portrait.ts";

const draw = (bytes: Buffer, shape: PortraitShape = "avatar") =>
  drawPortrait({ kind: "portrait", ...PORTRAIT_SHAPES[shape] }, bytes);

function makeAvif(width: number, height: number): Buffer {
  const context = createCanvas(width, height).getContext("2d");
  context.fillStyle = "#ff0000";
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = "#0000ff";
  context.fillRect(width / 2, 0, width / 2, height);
  return context.canvas.encodeSync("avif", { quality: 80 });
}

test.each([
  ["PNG", () => makePhoto("png", 1600, 900)],
  ["JPEG", () => makePhoto("jpeg", 1600, 900)],
  ["WebP", () => makePhoto("webp", 1600, 900)],
  ["AVIF", () => makeAvif(1600, 900)],
])("a %s becomes a square WebP of its middle", async (_, make) => {
  const bytes = await draw(make());
  expect(bytes.toString("latin1", 8, 12)).toBe("WEBP");
  expect(await readPicture(bytes, 0.1, 0.9)).toEqual({ width: 512, height: 512, colours: ["f00", "00f"] });
});

test.each([
  ["avatar", 300, 900, 300, 300],
  ["avatar", 512, 512, 512, 512],
  ["cover", 4000, 3000, 1600, 480],
  ["cover", 800, 480, 800, 240],
  ["cover", 1600, 100, 333, 100],
  ["avatar", 1, 1, 1, 1],
] as const)(
  "as %s a picture of %i × %i becomes %i × %i: cut, never enlarged",
  async (shape, width, height, drawnWidth, drawnHeight) => {
    const drawn = await readPicture(await draw(makePhoto("png", width, height), shape));
    expect(drawn).toMatchObject({ width: drawnWidth, height: drawnHeight });
  },
);

test("a photo that the camera turned stands upright, and its EXIF data is gone", async () => {
  const drawn = await draw(makeTurnedPhoto(800, 600));
  expect(drawn.includes("Exif")).toBe(false);
  const cover = await readPicture(await draw(makeTurnedPhoto(600, 300), "cover"));
  expect(cover).toMatchObject({ width: 300, height: 90 });
});

test("of an animation the first picture is drawn", async () => {
  const drawn = await draw(makeAnimatedWebp());
  expect((await readPicture(drawn, 0.5)).colours).toEqual(["f00"]);
});

test("what was hidden behind the picture doesn't come along", async () => {
  const hidden = Buffer.from("PK\u0003\u0004<script>alert(1)</script>");
  for (const format of ["jpeg", "png"] as const) {
    const drawn = await draw(Buffer.concat([makePhoto(format), hidden]));
    expect(drawn.includes("script")).toBe(false);
    expect(drawn.includes("PK\u0003\u0004")).toBe(false);
  }
});

test.each<[string, () => Buffer, RegExp]>([
  ["a PNG of 100 million pixels", () => makePngBomb(10_000), /10000 × 10000 pixels are too many/],
  ["a PNG that breaks off", () => makePhoto("png").subarray(0, -30), /out of range|outside buffer bounds/],
  ["a JPEG that breaks off", () => makePhoto("jpeg").subarray(0, -30), /breaks off/],
  ["a WebP that breaks off", () => makePhoto("webp").subarray(0, -30), /breaks off/],
  ["an AVIF that breaks off", () => makeAvif(200, 100).subarray(0, -30), /wrong length|decoded/],
  ["an AVIF of boxes without end", () => makeAvif(200, 100).fill(0xff, 32, 36), /wrong length/],
  ["a PNG of noise", () => makePhoto("png").fill(7, 60), /out of range|outside buffer bounds/],
  [
    "an SVG",
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    /neither/,
  ],
  ["a GIF that is JavaScript too", () => Buffer.from("GIF89a/*\u0001\u0000*/=1;alert(1)//"), /neither/],
])("%s is refused", async (_, make, reason) => {
  await expect(draw(make())).rejects.toThrow(reason);
});
