import { crc32 } from "node:zlib";
import { buildOrientation, readOrientation } from "./orientation.ts";

/** Encoders cut a picture into parts of some kilobytes. More are there to keep the server busy. */
const MAX_CHUNKS = 200_000;

const PNG_HEAD_BYTES = 8;
/** Length, type and check sum. */
const PNG_FRAME_BYTES = 12;
/** What is not needed to draw it, and says nothing of who made it: transparency, colours, size in print, animation. */
const PNG_KEPT: ReadonlySet<string> = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);
/** Of chunks that every decoder must know the name begins with a capital. */
const isCritical = (type: string) => /^[A-Z]/.test(type);

function toPngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** W3C PNG, third edition, section 11. @throws Error when it breaks off. */
export function stripPng(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [bytes.subarray(0, PNG_HEAD_BYTES)];
  let orientation = 1;
  for (let at = PNG_HEAD_BYTES, count = 0; ; count++) {
    if (count === MAX_CHUNKS) throw new Error("the PNG has too many chunks");
    if (at + PNG_FRAME_BYTES > bytes.length) throw new Error("the PNG breaks off");
    const end = at + PNG_FRAME_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error("the PNG breaks off");
    const type = bytes.toString("latin1", at + 4, at + 8);
    const chunk = bytes.subarray(at, end);
    at = end;
    if (type === "eXIf") orientation = readOrientation(chunk.subarray(8, -4));
    if (isCritical(type) || PNG_KEPT.has(type)) chunks.push(chunk);
    if (type === "IEND") break;
  }
  const turned = buildOrientation(orientation);
  // Behind the first chunk, the size: it has to stand before the picture.
  if (turned) chunks.splice(2, 0, toPngChunk("eXIf", turned));
  return Buffer.concat(chunks);
}

const RIFF_HEAD_BYTES = 12;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const WEBP_KEPT: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

function toWebpChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}0000`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Some programs put JPEG's head before the data. */
function withoutHead(exif: Buffer): Buffer {
  return exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
}

/** RFC 9649, section 2. @throws Error when it breaks off. */
export function stripWebp(bytes: Buffer): Buffer {
  const total = Math.min(bytes.length, bytes.readUInt32LE(4) + 8);
  if (bytes.readUInt32LE(4) + 8 > bytes.length) throw new Error("the WebP breaks off");
  const chunks: Buffer[] = [];
  let orientation = 1;
  let header: Buffer | undefined;
  for (let at = RIFF_HEAD_BYTES, count = 0; at + 8 <= total; count++) {
    if (count === MAX_CHUNKS) throw new Error("the WebP has too many chunks");
    const type = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (at + 8 + size > total) throw new Error("the WebP breaks off");
    const content = bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
    if (type === "EXIF") orientation = readOrientation(withoutHead(content));
    if (!WEBP_KEPT.has(type)) continue;
    const chunk = toWebpChunk(type, content);
    if (type === "VP8X" && content.length >= 10) header = chunk;
    chunks.push(chunk);
  }
  const turned = buildOrientation(orientation);
  if (header) header[8] = ((header[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG)) | (turned ? EXIF_FLAG : 0);
  // Only files with the long header can say it.
  if (header && turned) chunks.push(toWebpChunk("EXIF", turned));
  return toWebpChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}
