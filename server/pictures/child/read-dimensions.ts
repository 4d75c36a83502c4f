import type { Size } from "./dimensions.ts";
import { isAvif, readAvif } from "./read-avif.ts";

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
