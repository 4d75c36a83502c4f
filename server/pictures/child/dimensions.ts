/** A size in pixels or in units of a drawing. */
export interface Size {
  width: number;
  height: number;
}

/** A page of 1 × 100,000 units would become a strip without end: nothing is taller than this many times the width. */
const MAX_RATIO = 4;

/**
 * The whole pixels and the scale at which something fits a width. Pixels are never enlarged, drawings (`canGrow`) are.
 * @throws Error when there is nothing to scale.
 */
export function fitWidth(natural: Size, width: number, canGrow: boolean): Size & { scale: number } {
  const { width: naturalWidth, height: naturalHeight } = natural;
  if (!(naturalWidth > 0 && naturalHeight > 0)) throw new Error("the picture has no area");
  const scale = Math.min(
    width / naturalWidth,
    (width * MAX_RATIO) / naturalHeight,
    canGrow ? Number.POSITIVE_INFINITY : 1,
  );
  const toPixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: toPixels(naturalWidth), height: toPixels(naturalHeight), scale };
}

/** Decoded, four bytes a pixel: 160 MB. Cameras of phones stay below at their usual setting. */
export const MAX_PORTRAIT_PIXELS = 40_000_000;

/** What people show of themselves, and the pixels that it is cut to. */
export const PORTRAIT_SHAPES = {
  avatar: { width: 512, height: 512 },
  cover: { width: 1600, height: 480 },
} as const;
export type PortraitShape = keyof typeof PORTRAIT_SHAPES;

const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";

function readPng(bytes: Buffer): Size {
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** SOF0 to SOF15 hold the size; DHT, JPG and DAC have numbers among them. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Photos have some dozens before their frame. More are there to keep the server busy: this runs in its process, too. */
const MAX_MARKS = 10_000;

function readJpeg(bytes: Buffer): Size {
  let at = 2;
  for (let mark = 0; mark < MAX_MARKS; mark++) {
    at = bytes.indexOf(0xff, at) + 1;
    if (at === 0) throw new Error("the JPEG has no frame");
    const marker = bytes.readUInt8(at);
    if (marker === 0 || marker === 0xff) continue;
    if (isFrameMarker(marker)) {
      return { height: bytes.readUInt16BE(at + 4), width: bytes.readUInt16BE(at + 6) };
    }
    at += 1 + bytes.readUInt16BE(at + 1);
  }
  throw new Error("the JPEG has too many marks before its frame");
}

/** The three forms that a WebP file's first chunk has. */
function readWebp(bytes: Buffer): Size {
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8L") {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (chunk === "VP8 ") {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  throw new Error("the WebP starts with an unknown chunk");
}

/**
 * Width and height as a picture's first bytes say them, before anything is decoded.
 * @throws Error for anything but PNG, JPEG, WebP and AVIF, and where the file ends too early.
 */
export function readDimensions(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 8) === PNG_SIGNATURE) return readPng(bytes);
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") {
    return readWebp(bytes);
  }
  if (isAvif(bytes)) return readAvif(bytes);
  throw new Error("the picture is neither PNG, JPEG, WebP nor AVIF");
}

/** A still picture and a sequence; named first, or among those that the file is compatible with. */
const BRAND = /^(?:.{4})*?avi[fs]/s;
const BRANDS_END = 128;
/** ISO/IEC 14496-12: four bytes of length, four of type; a full box has four of version and flags more. */
const HEADER = 8;
const FULL_HEADER = 12;
/** Beside each other. Pictures have some dozens; more are there to keep the server busy. */
const MAX_BOXES = 1000;

interface Box {
  type: string;
  bytes: Buffer;
}

/** The boxes inside some bytes. @throws Error when one claims to be shorter than its header or longer than what is there. */
function* readBoxes(bytes: Buffer): Generator<Box> {
  for (let at = 0, count = 0; at < bytes.length; count++) {
    if (count === MAX_BOXES) throw new Error("the AVIF has too many boxes");
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + HEADER);
    const end = length === 0 ? bytes.length : at + length;
    // A length of 64 bits (1) is for more than 4 GB; none of ours is that large.
    if (end < at + HEADER || end > bytes.length) throw new Error("the AVIF has a box of a wrong length");
    yield { type, bytes: bytes.subarray(at + HEADER, end) };
    at = end;
  }
}

function findBox(bytes: Buffer, type: string): Buffer {
  for (const box of readBoxes(bytes)) if (box.type === type) return box.bytes;
  throw new Error(`the AVIF has no ${type} box`);
}

function isAvif(bytes: Buffer): boolean {
  if (bytes.length < FULL_HEADER || bytes.toString("latin1", 4, HEADER) !== "ftyp") return false;
  return BRAND.test(bytes.toString("latin1", HEADER, Math.min(bytes.readUInt32BE(0), BRANDS_END)));
}

/** The largest of the sizes that the file's pictures have: transparency and parts of a grid are pictures too. */
function readAvif(bytes: Buffer): Size {
  const meta = findBox(bytes, "meta").subarray(FULL_HEADER - HEADER);
  let largest: Size = { width: 0, height: 0 };
  for (const { type, bytes: box } of readBoxes(findBox(findBox(meta, "iprp"), "ipco"))) {
    if (type !== "ispe") continue;
    const size = { width: box.readUInt32BE(4), height: box.readUInt32BE(8) };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
