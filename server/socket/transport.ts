import type { Broadcast, Serializer, WireData } from "./serializer.ts";

/** Why the server ends a connection, as the WebSocket close code (RFC 6455, 7.4.1). */
export const CLOSE = {
  normal: 1000,
  /** Signed out or suspended: come back as somebody who may. */
  disconnected: 1001,
  /** Idle for too long, or a fault against the protocol of WebSocket. */
  protocol: 1002,
  /** Too many messages. */
  policy: 1008,
  tooLarge: 1009,
  /** A message that can't be read, or a fault of the server. */
  internal: 1011,
  /** The server is going down and comes back. */
  restart: 1012,
} as const;
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

/** One message for many: encoded once per version of the protocol, framed once for all WebSockets. */
export interface SharedMessage {
  encode(serializer: Serializer): WireData;
  /** The whole WebSocket frame. Servers send unmasked, so it is the same for everybody. */
  toFrame(serializer: Serializer): Buffer;
}

/** How bytes reach one client. Calls after its end do nothing; none of them throws. */
export interface Transport {
  send(data: WireData): void;
  sendShared(message: SharedMessage): void;
  /** Sends what waits, then closes. */
  close(code: CloseCode): void;
}

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

/** A broadcast that is encoded when the first receiver of a version needs it, and then cached for the rest. */
class EncodedOnce implements SharedMessage {
  readonly #broadcast: Broadcast;
  readonly #data = new Map<Serializer, WireData>();
  readonly #frames = new Map<Serializer, Buffer>();

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
  }

  encode(serializer: Serializer): WireData {
    let data = this.#data.get(serializer);
    if (data === undefined) {
      data = serializer.encodeBroadcast(this.#broadcast);
      this.#data.set(serializer, data);
    }
    return data;
  }

  toFrame(serializer: Serializer): Buffer {
    let frame = this.#frames.get(serializer);
    if (frame === undefined) {
      frame = toFrame(this.encode(serializer));
      this.#frames.set(serializer, frame);
    }
    return frame;
  }
}

export function createSharedMessage(broadcast: Broadcast): SharedMessage {
  return new EncodedOnce(broadcast);
}

/** A message that is encoded already, for clients of one version: framed once. */
export function createSharedData(data: WireData): SharedMessage {
  let frame: Buffer | undefined;
  return {
    encode: () => data,
    toFrame() {
      frame ??= toFrame(data);
      return frame;
    },
  };
}
