import { Image } from "@napi-rs/canvas";

/** Decodes a picture. @throws Error when the bytes are none, or break off. */
export async function loadImage(bytes: Buffer): Promise<Image> {
  const image = new Image();
  image.src = bytes;
  await image.decode();
  return image;
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and check sum of a chunk. */
const PNG_CHUNK_FRAME = 12;
/** What a RIFF file's length leaves out: its own four bytes and those before them. */
const RIFF_HEADER_BYTES = 8;
const JPEG_START_OF_SCAN = 0xda;
const JPEG_END = Buffer.from([0xff, 0xd9]);

/** Reads past the end throw. What follows the last chunk is nobody's: it isn't drawn. */
function requirePngEnd(bytes: Buffer): void {
  for (let at = PNG_SIGNATURE_BYTES; ; at += bytes.readUInt32BE(at) + PNG_CHUNK_FRAME) {
    if (bytes.toString("latin1", at + 4, at + 8) !== "IEND") continue;
    bytes.readUInt32BE(at + 8);
    return;
  }
}

/** The mark of the end is looked for behind the first scan: a small picture inside the EXIF data has one of its own. */
function requireJpegEnd(bytes: Buffer): void {
  for (let at = 2; ; ) {
    at = bytes.indexOf(0xff, at) + 1;
    const marker = at === 0 ? undefined : bytes.readUInt8(at);
    if (marker === undefined) break;
    if (marker === 0 || marker === 0xff) continue;
    if (marker === JPEG_START_OF_SCAN) {
      if (bytes.indexOf(JPEG_END, at) === -1) break;
      return;
    }
    at += 1 + bytes.readUInt16BE(at + 1);
  }
  throw new Error("the JPEG breaks off");
}

function requireWebpEnd(bytes: Buffer): void {
  if (bytes.readUInt32LE(4) + RIFF_HEADER_BYTES > bytes.length) throw new Error("the WebP breaks off");
}

/**
 * The decoder draws as much as there is of a picture that breaks off, and leaves the rest grey. An AVIF's boxes were counted
 * when its size was read.
 * @throws Error when the end of the file is missing.
 */
export function requireWhole(bytes: Buffer): void {
  if (bytes.readUInt16BE(0) === 0xffd8) requireJpegEnd(bytes);
  else if (bytes.toString("latin1", 1, 4) === "PNG") requirePngEnd(bytes);
  else if (bytes.toString("latin1", 0, 4) === "RIFF") requireWebpEnd(bytes);
}
