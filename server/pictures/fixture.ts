import { constants, crc32, deflateRawSync, deflateSync } from "node:zlib";
import { createCanvas, type Image, loadImage } from "@napi-rs/canvas";

/** A picture whose left half is red and whose right half is blue. */
export function makePhoto(format: "png" | "jpeg" | "webp", width = 1000, height = 500): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ff0000";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#0000ff";
  context.fillRect(width / 2, 0, width / 2, height);
  return format === "png" ? canvas.encodeSync("png") : canvas.encodeSync(format, 90);
}

/** The EXIF segment of a camera that was held upright: "turn me by 90°". */
const EXIF_TURNED = Buffer.from(
  `ffe1002245786966${"0000"}4d4d002a0000000800010112000300000001000600000000${"0000"}`,
  "hex",
);

export function makeTurnedPhoto(width: number, height: number): Buffer {
  const jpeg = makePhoto("jpeg", width, height);
  return Buffer.concat([jpeg.subarray(0, 2), EXIF_TURNED, jpeg.subarray(2)]);
}

function toRiffChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}0000`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A red picture, then a blue one, 100 × 100 pixels. */
export function makeAnimatedWebp(): Buffer {
  const frames = ["#ff0000", "#0000ff"].map((colour) => {
    const context = createCanvas(100, 100).getContext("2d");
    context.fillStyle = colour;
    context.fillRect(0, 0, 100, 100);
    const encoded = context.canvas.encodeSync("webp", 80);
    const pixels = encoded.subarray(Math.max(encoded.indexOf("VP8 "), encoded.indexOf("VP8L")));
    const head = Buffer.alloc(16);
    head.writeUIntLE(99, 6, 3);
    head.writeUIntLE(99, 9, 3);
    head.writeUIntLE(500, 12, 3);
    return toRiffChunk("ANMF", Buffer.concat([head, pixels]));
  });
  const size = Buffer.alloc(10);
  size.writeUInt8(2, 0); // it moves
  size.writeUIntLE(99, 4, 3);
  size.writeUIntLE(99, 7, 3);
  const content = [
    Buffer.from("WEBP"),
    toRiffChunk("VP8X", size),
    toRiffChunk("ANIM", Buffer.alloc(6)),
    ...frames,
  ];
  return toRiffChunk("RIFF", Buffer.concat(content));
}

export const SVG = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
     <rect width="10" height="10" fill="#ff0000"/><rect x="10" width="10" height="10" fill="#0000ff"/>
   </svg>`,
);

function toChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** A black PNG, whole and valid: 30,000 × 30,000 pixels are 110 kB here and 3.6 GB when they are decoded. */
export function makePngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(Buffer.alloc((1 + side / 8) * side))),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A PDF of one page. Its content is drawn in points from the bottom left. */
export function makePdf(
  content: Buffer | string = "1 0 0 rg 0 0 421 595 re f",
  { box = "0 0 842 595", filter = "" } = {},
): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R/Resources<<>>>>`,
  ].map((text, index) => `${index + 1} 0 obj${text}endobj\n`);
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n${objects.join("")}4 0 obj<</Length ${content.length}${filter}>>stream\n`),
    Buffer.from(content),
    Buffer.from("\nendstream endobj\ntrailer<</Size 5/Root 1 0 R>>\n%%EOF"),
  ]);
}

/** Millions of lines across the page: nothing is wrong with it but the time that it takes. */
export function makeEndlessPdf(): Buffer {
  return makePdf(deflateSync(Buffer.alloc(100_000_000, "0 0 m 842 595 l S\n")), {
    filter: "/Filter/FlateDecode",
  });
}

/** A page whose content is 2 MB here and 2 GB when it is unpacked. */
export function makePdfBomb(): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_000_000, "q "), { finishFlush: constants.Z_FULL_FLUSH });
  const zlibHeader = Buffer.from([0x78, 0x9c]);
  const content = Buffer.concat([zlibHeader, ...Array<Buffer>(2000).fill(block), deflateRawSync("")]);
  return makePdf(content, { filter: "/Filter/FlateDecode" });
}

/** What a picture's bytes show: its size, and colours at parts of its width on half of its height. */
export async function readPicture(
  bytes: Uint8Array,
  ...parts: number[]
): Promise<Pick<Image, "width" | "height"> & { colours: string[] }> {
  const image = await loadImage(bytes);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  const colours = parts.map((part) => {
    const { data } = context.getImageData(Math.floor(width * part), Math.floor(height / 2), 1, 1);
    return [data[0], data[1], data[2]]
      .map((value) => (Number(value) > 200 ? "f" : Number(value) < 55 ? "0" : "8"))
      .join("");
  });
  return { width, height, colours };
}
