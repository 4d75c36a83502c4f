import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { makePdf, makePhoto, makePngBomb, makeTurnedPhoto, readPicture, SVG } from "../fixture.ts";
import { drawThumbnail } from "./draw-thumbnail.ts";

/** pdf.js's errors have the stack of its loading, which says nothing. */
const draw = (type: "photo" | "svg" | "pdf", bytes: Buffer, width = 384) =>
  drawThumbnail({ kind: "thumbnail", type, width }, bytes).catch((error: Error) => {
    throw new Error(error.message, { cause: error });
  });
const isWebp = (bytes: Buffer) =>
  bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12) === "RIFFWEBP";

test.each([
  ["PNG", "photo", () => makePhoto("png"), 192],
  ["JPEG", "photo", () => makePhoto("jpeg"), 96 * 2],
  ["WebP", "photo", () => makePhoto("webp"), 192],
  ["SVG", "svg", () => SVG, 192],
  ["PDF", "pdf", () => makePdf(undefined, { box: "0 0 842 421" }), 192],
] as const)("a %s is drawn as WebP in its own shape", async (_, type, make, height) => {
  const bytes = await draw(type, make());
  expect(isWebp(bytes)).toBe(true);
  const right = type === "pdf" ? "fff" : "00f";
  expect(await readPicture(bytes, 0.2, 0.8)).toEqual({ width: 384, height, colours: ["f00", right] });
});

test.each([
  [400, 200, 384, 192],
  [100, 50, 100, 50],
  [200, 4000, 77, 1536],
  [3000, 2, 384, 1],
])("a photo of %i × %i becomes %i × %i", async (width, height, drawnWidth, drawnHeight) => {
  const drawn = await readPicture(await draw("photo", makePhoto("png", width, height)));
  expect(drawn).toMatchObject({ width: drawnWidth, height: drawnHeight });
});

test("a photo that the camera turned stands upright", async () => {
  expect(await readPicture(await draw("photo", makeTurnedPhoto(800, 400)))).toMatchObject({
    width: 384,
    height: 768,
  });
});

test("a small SVG is drawn at the width, sharp", async () => {
  const icon = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="8" height="16" fill="red"/></svg>',
  );
  const { width, height, colours } = await readPicture(await draw("svg", icon), 0.48, 0.52);
  expect([width, height, colours[0]]).toEqual([384, 384, "f00"]);
});

test("an SVG shows the pictures inside it and loads none from elsewhere", async () => {
  const folder = await mkdtemp(join(tmpdir(), "foyer-svg-"));
  const path = join(folder, "photo.png");
  await writeFile(path, makePhoto("png"));
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.end(makePhoto("png"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const drawWith = async (href: string) => {
    const image = `<image width="10" height="10" preserveAspectRatio="none" href="${href}"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${image}</svg>`;
    return (await readPicture(await draw("svg", Buffer.from(svg)), 0.25, 0.75)).colours;
  };
  try {
    const inside = `data:image/png;base64,${makePhoto("png").toString("base64")}`;
    expect(await drawWith(inside)).toEqual(["f00", "00f"]);
    for (const href of [path, `file://${path}`, `http://127.0.0.1:${port}/a.png`])
      expect(await drawWith(href)).not.toEqual(["f00", "00f"]);
    expect(requests).toBe(0);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});

test.each([
  ["0 0 1 100000", 1, 1536],
  ["0 0 100000 1", 384, 1],
  ["0 0 0.001 0.001", 384, 384],
  ["0 0 14400 14400", 384, 384],
  ["0 0 0 0", 384, 497],
])("a PDF's page of %s stays within bounds", async (box, width, height) => {
  const drawn = await readPicture(await draw("pdf", makePdf(undefined, { box })));
  expect(drawn).toMatchObject({ width, height });
});

test.each<[string, "photo" | "svg" | "pdf", () => Buffer, RegExp]>([
  ["a PNG that would be 3.6 GB", "photo", () => makePngBomb(30_000), /30000 × 30000 pixels are too many/],
  ["a PNG of noise", "photo", () => makePhoto("png").fill(7, 60), /cannot be decoded/],
  [
    "a PNG that ends in its head",
    "photo",
    () => makePhoto("png").subarray(0, 20),
    /out of range|outside buffer bounds/,
  ],
  ["a JPEG without a frame", "photo", () => Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 2]), /no frame/],
  ["a WebP of an unknown form", "photo", () => makePhoto("webp").fill("?", 12, 16), /unknown chunk/],
  ["another format", "photo", () => Buffer.from("GIF89a and more"), /neither PNG, JPEG, WebP nor AVIF/],
  ["an empty file", "photo", () => Buffer.alloc(0), /out of range|outside buffer bounds/],
  ["a PDF of words", "pdf", () => Buffer.from("%PDF-1.7\nnothing else"), /Invalid PDF/],
  ["a PDF that breaks off", "pdf", () => makePdf().subarray(0, 120), /Invalid/],
  ["an SVG that breaks off", "svg", () => SVG.subarray(0, 80), /cannot be decoded/],
  [
    "an SVG without an area",
    "svg",
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="5"/>'),
    /no area|decoded/,
  ],
])("%s is refused", async (_, type, make, reason) => {
  await expect(draw(type, make())).rejects.toThrow(reason);
});
