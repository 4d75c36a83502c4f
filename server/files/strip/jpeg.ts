import { buildOrientation, readOrientation } from "./orientation.ts";

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const END_MARKER = 0xd9;
const SCAN_MARKER = 0xda;
const COMMENT_MARKER = 0xfe;
const EXIF_HEAD = Buffer.from("Exif\0\0", "latin1");
/** Photos have some dozens, with many scans some hundreds. More are there to keep the server busy. */
const MAX_SEGMENTS = 20_000;

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;

function startsWith(segment: Buffer, text: string): boolean {
  return segment.toString("latin1", 4, 4 + text.length) === text;
}

function toSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** JFIF may hold a small picture, of before the photo was cut. */
function withoutSmallPicture(segment: Buffer): Buffer {
  const plain = Buffer.from(segment.subarray(0, 18));
  plain.writeUInt16BE(16, 2);
  plain.writeUInt16BE(0, 16);
  return plain;
}

/** What a decoder needs of the segments that programs add: JFIF, the colour profile, and Adobe's word on the colours. */
function keep(marker: number, segment: Buffer): Buffer | undefined {
  if (marker === COMMENT_MARKER) return undefined;
  if (!isApplication(marker)) return segment;
  if (marker === 0xe0 && startsWith(segment, "JFIF\0") && segment.length >= 18)
    return segment.length === 18 ? segment : withoutSmallPicture(segment);
  if (marker === 0xe2 && startsWith(segment, "ICC_PROFILE\0")) return segment;
  return marker === 0xee && startsWith(segment, "Adobe") ? segment : undefined;
}

/** Where the coded picture ends that begins at `from`: at the next mark that is none of its own. */
function findScanEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length - 1; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return bytes.length;
}

interface Segment {
  marker: number;
  bytes: Buffer;
}

/** The segments up to the end mark, each scan with its coded picture. Marks that stand alone, and fill bytes, are left out. */
function* readSegments(bytes: Buffer): Generator<Segment> {
  for (let at = START.length, count = 0; at < bytes.length; count++) {
    if (count === MAX_SEGMENTS) throw new Error("the JPEG has too many segments");
    if (bytes[at] !== 0xff) throw new Error("the JPEG has no segment where one should begin");
    while (bytes[at + 1] === 0xff) at++;
    const marker = bytes.readUInt8(at + 1);
    if (marker === END_MARKER) return;
    if (isRestart(marker) || marker === 0x01) {
      at += 2;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) throw new Error("the JPEG has a segment of a wrong length");
    const whole = marker === SCAN_MARKER ? findScanEnd(bytes, end) : end;
    yield { marker, bytes: bytes.subarray(at, whole) };
    at = whole;
  }
}

/** ISO/IEC 10918-1, annex B. @throws Error when a segment leads out of the file. */
export function stripJpeg(bytes: Buffer): Buffer {
  const segments: Buffer[] = [];
  let orientation = 1;
  for (const segment of readSegments(bytes)) {
    if (segment.marker === 0xe1 && startsWith(segment.bytes, "Exif\0\0"))
      orientation = readOrientation(segment.bytes.subarray(10));
    const kept = keep(segment.marker, segment.bytes);
    if (kept) segments.push(kept);
  }
  const turned = buildOrientation(orientation);
  const place = segments[0]?.[1] === 0xe0 ? 1 : 0;
  if (turned) segments.splice(place, 0, toSegment(0xe1, Buffer.concat([EXIF_HEAD, turned])));
  return Buffer.concat([START, ...segments, END]);
}
