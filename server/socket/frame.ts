import type { WireData } from "./message.ts";

const FIN = 0x80;
const TEXT = 0x1;
const BINARY = 0x2;
/** Lengths of two and of eight bytes follow these (RFC 6455, 5.2). */
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

function toLengthBytes(length: number): 0 | 2 | 8 {
  if (length < TWO_BYTES) return 0;
  return length < 0x1_00_00 ? 2 : 8;
}

/**
 * One unfragmented, unmasked WebSocket frame in one Buffer. `ws` builds frames in two, header and payload, for which each
 * socket would need two writes.
 */
export function toFrame(data: WireData): Buffer {
  const isText = typeof data === "string";
  const length = isText ? Buffer.byteLength(data) : data.byteLength;
  const lengthBytes = toLengthBytes(length);
  const start = 2 + lengthBytes;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FIN | (isText ? TEXT : BINARY);
  if (lengthBytes === 0) frame[1] = length;
  else if (lengthBytes === 2) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeUInt16BE(0, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  if (isText) frame.write(data, start, length, "utf8");
  else frame.set(data, start);
  return frame;
}
