/** RFC 6455, 5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  opcode: number;
  payload: Buffer;
  /** Without it, the frame is the first or a middle one of several. */
  isFinal?: boolean;
  /** Whether the payload is masked, as a client must. */
  isMasked?: boolean;
  /** The three reserved bits. */
  reserved?: number;
  /** What the header says of the length, true or not. */
  claimedLength?: number;
}

const FIN = 0x80;
const MASKED = 0x80;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** The byte with the length, and those behind it. */
function toLength(length: number): Buffer {
  if (length < TWO_BYTES) return Buffer.from([length]);
  if (length < 0x1_00_00) return Buffer.from([TWO_BYTES, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(9);
  bytes[0] = EIGHT_BYTES;
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** A frame as a client sends it, and, for those who want to, as none should. */
export function buildFrame(options: FrameOptions): Buffer {
  const { opcode, payload, isFinal = true, isMasked = true, reserved = 0 } = options;
  const length = toLength(options.claimedLength ?? payload.length);
  const first = (isFinal ? FIN : 0) | (reserved << 4) | opcode;
  if (!isMasked) return Buffer.concat([Buffer.from([first]), length, payload]);
  length[0] = (length[0] ?? 0) | MASKED;
  const start = 1 + length.length + 4;
  const frame = Buffer.allocUnsafe(start + payload.length);
  frame[0] = first;
  length.copy(frame, 1);
  // A mask of zeros would save the server its work.
  frame.writeUInt32BE((Math.random() * 0xff_ff_ff_fe + 1) >>> 0, start - 4);
  for (let index = 0; index < payload.length; index++)
    frame[start + index] = (payload[index] ?? 0) ^ (frame[start - 4 + (index & 3)] ?? 0);
  return frame;
}

export function buildTextFrame(text: string): Buffer {
  return buildFrame({ opcode: OPCODE.text, payload: Buffer.from(text) });
}

/**
 * Reads what a server sends: whole, unmasked frames. Much lighter than a library, so that a thousand clients leave the
 * server its core. `onFrame` gets a view of the chunk, good until it returns.
 * @throws Error on anything that no server may send
 */
export function createFrameReader(onFrame: (opcode: number, payload: Buffer) => void) {
  let rest: Buffer | undefined;

  function readOne(data: Buffer, start: number): number | undefined {
    if (data.length - start < 2) return undefined;
    const first = data[start] ?? 0;
    const second = data[start + 1] ?? 0;
    if ((first & 0xf0) !== FIN || (second & MASKED) !== 0)
      throw new Error(`a server sent a frame that begins ${data.toString("hex", start, start + 16)}`);
    let header = 2;
    let length = second;
    if (second === TWO_BYTES) {
      header = 4;
      if (data.length - start < header) return undefined;
      length = data.readUInt16BE(start + 2);
    } else if (second === EIGHT_BYTES) {
      header = 10;
      if (data.length - start < header) return undefined;
      length = Number(data.readBigUInt64BE(start + 2));
    }
    const end = start + header + length;
    if (data.length < end) return undefined;
    onFrame(first & 0xf, data.subarray(start + header, end));
    return end;
  }

  return (chunk: Buffer): void => {
    const data = rest ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = readOne(data, start); end !== undefined; end = readOne(data, start)) start = end;
    rest = start < data.length ? Buffer.from(data.subarray(start)) : undefined;
  };
}
