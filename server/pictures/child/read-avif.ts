import type { Size } from "./dimensions.ts";

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

export function isAvif(bytes: Buffer): boolean {
  if (bytes.length < FULL_HEADER || bytes.toString("latin1", 4, HEADER) !== "ftyp") return false;
  return BRAND.test(bytes.toString("latin1", HEADER, Math.min(bytes.readUInt32BE(0), BRANDS_END)));
}

/** The largest of the sizes that the file's pictures have: transparency and parts of a grid are pictures too. */
export function readAvif(bytes: Buffer): Size {
  const meta = findBox(bytes, "meta").subarray(FULL_HEADER - HEADER);
  let largest: Size = { width: 0, height: 0 };
  for (const { type, bytes: box } of readBoxes(findBox(findBox(meta, "iprp"), "ipco"))) {
    if (type !== "ispe") continue;
    const size = { width: box.readUInt32BE(4), height: box.readUInt32BE(8) };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
