import { expect, test } from "@jest/globals";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { encodePng } from "./encode-png.ts";
import { reduceColours } from "./reduce-colours.ts";

const SIZE = { width: 64, height: 48 };

async function throughPng(pixels: Uint8ClampedArray, maxColours?: number): Promise<Uint8ClampedArray> {
  const image = await loadImage(encodePng(reduceColours(pixels, maxColours), SIZE));
  expect([image.width, image.height]).toEqual([SIZE.width, SIZE.height]);
  const context = createCanvas(SIZE.width, SIZE.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return Uint8ClampedArray.from(context.getImageData(0, 0, SIZE.width, SIZE.height).data);
}

function fill(toColour: (x: number, y: number) => readonly number[]): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(SIZE.width * SIZE.height * 4).fill(255);
  for (let y = 0; y < SIZE.height; y++)
    for (let x = 0; x < SIZE.width; x++) pixels.set(toColour(x, y), 4 * (y * SIZE.width + x));
  return pixels;
}

test("flat areas keep their colours to the bit", async () => {
  const colours = [
    [251, 251, 249],
    [25, 28, 31],
    [11, 74, 99],
    [255, 0, 0],
  ] as const;
  const pixels = fill((x) => colours[x >> 4] ?? []);
  expect(await throughPng(pixels)).toEqual(pixels);
});

test("a photo of thousands of colours stays close to itself", async () => {
  const pixels = fill((x, y) => [x * 4, y * 5, (x + y) * 2]);
  const drawn = await throughPng(pixels);
  const distances = pixels.map((value, at) => Math.abs(value - (drawn[at] ?? 0)));
  expect(Math.max(...distances)).toBeLessThan(32);
  expect(distances.reduce((sum, distance) => sum + distance, 0) / distances.length).toBeLessThan(6);
});

test("no more colours are used than asked for", async () => {
  const drawn = await throughPng(
    fill((x, y) => [x * 4, y * 5, (x * y) % 256]),
    16,
  );
  const colours = new Set(
    Array.from({ length: drawn.length / 4 }, (_, at) => drawn.slice(4 * at, 4 * at + 3).join()),
  );
  expect(colours.size).toBe(16);
});
