import { crc32 } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { makeAnimatedWebp, makePhoto, makeTurnedPhoto } from "#server/pictures/fixture.ts";
import { stripMetadata } from "./strip.ts";

/** Words that stand in each of the places where cameras and programs write. */
const SECRET = "GPS 41.0082 28.9784";

const segment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
const text = (words: string) => Buffer.from(words, "latin1");

/** EXIF data: an orientation, then a description with the secret. */
function makeExif(orientation: number): Buffer {
  const exif = Buffer.alloc(64);
  exif.write("MM\0*", "latin1");
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(0x0112, 10);
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  exif.write(SECRET, 30, "latin1");
  return exif;
}

const PROFILE = Buffer.concat([text("ICC_PROFILE\0"), Buffer.from([1, 1]), text("a profile")]);

function makeJpeg(orientation = 6): Buffer {
  const photo = makePhoto("jpeg", 60, 40);
  return Buffer.concat([
    photo.subarray(0, 2),
    segment(0xe0, Buffer.concat([text("JFIF\0"), Buffer.from([1, 1, 0, 0, 1, 0, 1, 1, 1]), text("pre")])),
    segment(0xe1, Buffer.concat([text("Exif\0\0"), makeExif(orientation)])),
    segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${SECRET}`)),
    segment(0xe2, PROFILE),
    segment(0xe2, text(`MPF\0${SECRET}`)),
    segment(0xed, text(`Photoshop 3.0\0${SECRET}`)),
    segment(0xfe, text(SECRET)),
    photo.subarray(2),
    text(`a film behind the end ${SECRET}`),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const made = Buffer.concat([Buffer.alloc(4), text(type), content, Buffer.alloc(4)]);
  made.writeUInt32BE(content.length);
  made.writeUInt32BE(crc32(made.subarray(4, -4)), made.length - 4);
  return made;
}

function makePng(orientation = 6): Buffer {
  const photo = makePhoto("png", 60, 40);
  const afterSize = 8 + 25;
  return Buffer.concat([
    photo.subarray(0, afterSize),
    chunk("gAMA", Buffer.from([0, 0, 177, 143])),
    chunk("tEXt", text(`Comment\0${SECRET}`)),
    chunk("iTXt", text(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)),
    chunk("eXIf", makeExif(orientation)),
    chunk("tIME", Buffer.from([7, 230, 1, 1, 1, 1, 1])),
    chunk("prVt", text(SECRET)),
    photo.subarray(afterSize),
    text(SECRET),
  ]);
}

function riff(type: string, content: Buffer): Buffer {
  const head = text(`${type}0000`);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function makeWebp(orientation = 6): Buffer {
  const photo = makePhoto("webp", 60, 40);
  const size = Buffer.alloc(10);
  size[0] = 0x2c; // colour profile, EXIF, XMP
  size.writeUIntLE(59, 4, 3);
  size.writeUIntLE(39, 7, 3);
  const pixels = photo.subarray(Math.max(photo.indexOf("VP8 "), photo.indexOf("VP8L")));
  return Buffer.concat([
    riff(
      "RIFF",
      Buffer.concat([
        text("WEBP"),
        riff("VP8X", size),
        riff("ICCP", text("a profile")),
        pixels,
        riff("EXIF", makeExif(orientation)),
        riff("XMP ", text(SECRET)),
      ]),
    ),
    text(SECRET),
  ]);
}

const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};
const full = (version: number, ...content: Buffer[]) =>
  Buffer.concat([Buffer.from([version, 0, 0, 0]), ...content]);
const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (value: number) =>
  Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);

/** A file of three items: the picture, EXIF and XMP, one after the other in `mdat`. */
function makeAvif(): Buffer {
  const picture = text("the picture's own bits");
  const exif = Buffer.concat([Buffer.alloc(4), makeExif(1)]);
  const xmp = text(`<x:xmpmeta>${SECRET}</x:xmpmeta>`);
  const entry = (id: number, type: string) => box("infe", full(2, u16(id, 0), text(type), Buffer.from([0])));
  const build = (start: number) => {
    let at = start;
    const items = [picture, exif, xmp].map((item, index) => {
      const place = Buffer.concat([u16(index + 1, 0, 0, 1), u32(at), u32(item.length)]);
      at += item.length;
      return place;
    });
    return Buffer.concat([
      box("ftyp", text("avif\0\0\0\0avifmif1")),
      box(
        "meta",
        full(
          0,
          box("iinf", full(0, u16(3), entry(1, "av01"), entry(2, "Exif"), entry(3, "mime"))),
          box("iloc", full(1, Buffer.from([0x44, 0x00]), u16(3), ...items)),
        ),
      ),
      box("uuid", text(`${"u".repeat(16)}${SECRET}`)),
      box("mdat", Buffer.concat([picture, exif, xmp])),
    ]);
  };
  const draft = build(0);
  return build(draft.indexOf("the picture's"));
}

async function readPixels(bytes: Buffer) {
  const image = await loadImage(bytes);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: Buffer.from(data).toString("base64") };
}

describe.each([
  ["image/jpeg", makeJpeg],
  ["image/png", makePng],
  ["image/webp", makeWebp],
])("%s", (type, make) => {
  test("loses every word that was written beside the picture, and not a pixel", async () => {
    const before = make();
    const after = stripMetadata(before, type);
    expect(before.includes(SECRET)).toBe(true);
    expect(after.includes(SECRET)).toBe(false);
    expect(await readPixels(after)).toEqual(await readPixels(before));
  });

  test("is left as it is where there is nothing to take out, and stripping twice changes nothing", () => {
    const plain = stripMetadata(make(1), type);
    expect(stripMetadata(plain, type)).toBe(plain);
    const turned = stripMetadata(make(6), type);
    expect(stripMetadata(turned, type)).toBe(turned);
    expect(turned.length).toBeGreaterThan(plain.length);
  });

  test("that breaks off or has wrong lengths is refused or cut, in a moment", () => {
    const whole = make();
    for (let at = 0; at < whole.length; at += 3) {
      for (const broken of [
        whole.subarray(0, at),
        Buffer.from(whole).fill(0xff, at, Math.min(at + 4, whole.length)),
      ]) {
        try {
          expect(stripMetadata(broken, type).length).toBeLessThanOrEqual(broken.length + 40);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }
    }
  });
});

test("a photo keeps the way up and its colour profile", async () => {
  const turned = makeTurnedPhoto(80, 40);
  const { width, height } = await readPixels(stripMetadata(turned, "image/jpeg"));
  expect([width, height]).toEqual([40, 80]);
  expect(stripMetadata(makeJpeg(), "image/jpeg").includes(PROFILE)).toBe(true);
  expect(stripMetadata(makePng(), "image/png").includes("gAMA")).toBe(true);
  expect(stripMetadata(makeWebp(), "image/webp").includes("a profile")).toBe(true);
});

test("a JPEG's small picture goes, as it may show what was cut away", () => {
  expect(stripMetadata(makeJpeg(), "image/jpeg").includes("pre")).toBe(false);
});

test("an animation stays one", () => {
  const animated = makeAnimatedWebp();
  expect(stripMetadata(animated, "image/webp")).toBe(animated);
});

test("an AVIF keeps its length and its picture, and EXIF and XMP say nothing", () => {
  const before = makeAvif();
  const after = stripMetadata(before, "image/avif");
  expect(before.includes(SECRET)).toBe(true);
  expect(after.includes(SECRET)).toBe(false);
  expect(after.length).toBe(before.length);
  expect(after.includes("the picture's own bits")).toBe(true);
  expect(stripMetadata(after, "image/avif")).toBe(after);
  for (let at = 0; at < before.length; at++) {
    try {
      stripMetadata(before.subarray(0, at), "image/avif");
      stripMetadata(Buffer.from(before).fill(0xff, at, at + 1), "image/avif");
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }
});

test("an encoder's own AVIF is drawn as before", async () => {
  const context = createCanvas(40, 20).getContext("2d");
  context.fillStyle = "#00ff00";
  context.fillRect(0, 0, 40, 20);
  const avif = context.canvas.encodeSync("avif");
  expect(await readPixels(stripMetadata(avif, "image/avif"))).toEqual(await readPixels(avif));
});

test("what only looks like a file of many parts is refused before it costs memory", () => {
  const segments = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    Buffer.alloc(400_000, Buffer.from([0xff, 0xdb, 0, 2])),
  ]);
  expect(() => stripMetadata(segments, "image/jpeg")).toThrow("too many segments");
});

test.each(["image/svg+xml", "application/pdf"])("%s is left as it is", (type) => {
  const bytes = text(`<svg><metadata>${SECRET}</metadata></svg>`);
  expect(stripMetadata(bytes, type)).toBe(bytes);
});
