/**
 * What identifies a message or a join. Clients choose it; it is given back as it came, `21` stays a number.
 */
export type Ref = string | number | null;

/** A topic is text; a number, which the protocol tolerates, matches none and is given back as it came. */
export type Topic = string | number;

/** What a client sent. */
export interface Incoming {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  event: string;
  /** Any JSON value, or the bytes of a binary message. Not checked yet. */
  payload: unknown;
}

/** For one client alone. `payload` is JSON, or bytes. */
interface Push {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  event: string;
  payload: unknown;
}

/** The answer to the message `ref`. */
interface Reply {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  status: string;
  response: unknown;
}

/** For every subscriber of a topic: the same bytes for each. */
export interface Broadcast {
  topic: string;
  event: string;
  payload: unknown;
}

/** As it travels: text, or bytes of a binary message. */
export type WireData = string | Uint8Array;

/** A message that can't be read; the connection closes with 1011. */
export class DecodeError extends Error {}

/** One version of the protocol's encoding (`vsn`). Each is one object, so that it can be a key. */
export interface Serializer {
  readonly version: "1" | "2";
  /** @throws DecodeError */
  decodeText(text: string): Incoming;
  /** @throws DecodeError */
  decodeBinary(data: Uint8Array): Incoming;
  encodePush(push: Push): WireData;
  encodeReply(reply: Reply): WireData;
  encodeBroadcast(broadcast: Broadcast): WireData;
}

/** A message as it came. @throws DecodeError */
export const decode = (serializer: Serializer, data: string | Buffer): Incoming =>
  typeof data === "string" ? serializer.decodeText(data) : serializer.decodeBinary(data);

/**
 * Bytes. Topics and refs are kept for as long as a channel is joined: nobody may make the server keep more. And a name has to
 * fit into a binary message, where one byte holds its length.
 */
const MAX_NAME_BYTES = 255;

function isShort(text: string): boolean {
  return text.length <= MAX_NAME_BYTES && Buffer.byteLength(text) <= MAX_NAME_BYTES;
}

function readRef(value: unknown): Ref {
  if (value === null || value === undefined || typeof value === "number") return value ?? null;
  if (typeof value === "string" && isShort(value)) return value;
  throw new DecodeError("a ref is neither a short text nor a number");
}

function readTopic(value: unknown): Topic {
  if (typeof value === "number" || (typeof value === "string" && isShort(value))) return value;
  throw new DecodeError("a topic is no short text");
}

function readEvent(value: unknown): string {
  if (typeof value === "string" && isShort(value)) return value;
  throw new DecodeError("an event is no short text");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError("no JSON");
  }
}

/** What `phx_reply` carries. */
function toReplyPayload({ status, response }: Reply): { status: string; response: unknown } {
  return { status, response };
}

const PUSH = 0;
const REPLY = 1;
const BROADCAST = 2;

/** `kind`, the length of each name in a byte, the names, the data. */
function encodeBinary(kind: number, names: readonly string[], data: Uint8Array): Uint8Array {
  const lengths = names.map((name) => Buffer.byteLength(name));
  if (lengths.some((length) => length > MAX_NAME_BYTES))
    throw new Error("a name of a binary message has more than 255 bytes");
  return Buffer.concat([Buffer.from([kind, ...lengths]), ...names.map((name) => Buffer.from(name)), data]);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readNames(data: Uint8Array, count: number): { names: string[]; end: number } {
  let end = 1 + count;
  const names = [...data.subarray(1, end)].map((length) => {
    const name = data.subarray(end, end + length);
    end += length;
    return name;
  });
  if (names.length < count || end > data.length) throw new DecodeError("a binary message is cut short");
  try {
    return { names: names.map((name) => utf8.decode(name)), end };
  } catch {
    throw new DecodeError("a name of a binary message is no UTF-8");
  }
}

function toText(value: Ref | Topic): string {
  return value === null ? "" : String(value);
}

export const serializerV2: Serializer = {
  version: "2",
  decodeText(text) {
    const parts = parseJson(text);
    if (!Array.isArray(parts) || parts.length < 5) throw new DecodeError("no array of five");
    const [joinRef, ref, topic, event, payload] = parts;
    return {
      joinRef: readRef(joinRef),
      ref: readRef(ref),
      topic: readTopic(topic),
      event: readEvent(event),
      payload,
    };
  },
  decodeBinary(data) {
    if (data[0] !== PUSH) throw new DecodeError("no binary push");
    const { names, end } = readNames(data, 4);
    const [joinRef = "", ref = "", topic = "", event = ""] = names;
    return { joinRef: joinRef || null, ref: ref || null, topic, event, payload: data.subarray(end) };
  },
  encodePush({ joinRef, ref, topic, event, payload }) {
    return payload instanceof Uint8Array
      ? encodeBinary(PUSH, [toText(joinRef), toText(topic), event], payload)
      : JSON.stringify([joinRef, ref, topic, event, payload]);
  },
  encodeReply(reply) {
    const { joinRef, ref, topic, status, response } = reply;
    return response instanceof Uint8Array
      ? encodeBinary(REPLY, [toText(joinRef), toText(ref), toText(topic), status], response)
      : JSON.stringify([joinRef, ref, topic, "phx_reply", toReplyPayload(reply)]);
  },
  encodeBroadcast({ topic, event, payload }) {
    return payload instanceof Uint8Array
      ? encodeBinary(BROADCAST, [topic, event], payload)
      : JSON.stringify([null, null, topic, event, payload]);
  },
};

function refuseBinary(payload: unknown): void {
  if (payload instanceof Uint8Array) throw new Error("version 1 of the protocol has no binary messages");
}

/** Older clients, and whoever names no version. Messages to them have no join_ref. */
export const serializerV1: Serializer = {
  version: "1",
  decodeText(text) {
    const message = parseJson(text);
    if (typeof message !== "object" || message === null || Array.isArray(message))
      throw new DecodeError("no object");
    const fields = new Map<string, unknown>(Object.entries(message));
    for (const name of ["topic", "event", "payload", "ref"])
      if (!fields.has(name)) throw new DecodeError(`${name} is missing`);
    return {
      joinRef: readRef(fields.get("join_ref")),
      ref: readRef(fields.get("ref")),
      topic: readTopic(fields.get("topic")),
      event: readEvent(fields.get("event")),
      payload: fields.get("payload"),
    };
  },
  decodeBinary() {
    throw new DecodeError("version 1 of the protocol has no binary messages");
  },
  encodePush({ topic, event, payload, ref }) {
    refuseBinary(payload);
    return JSON.stringify({ topic, event, payload, ref });
  },
  encodeReply(reply) {
    refuseBinary(reply.response);
    return JSON.stringify({
      topic: reply.topic,
      event: "phx_reply",
      payload: toReplyPayload(reply),
      ref: reply.ref,
    });
  },
  encodeBroadcast({ topic, event, payload }) {
    refuseBinary(payload);
    return JSON.stringify({ topic, event, payload, ref: null });
  },
};

/** `vsn` of the handshake: 1.0.x, also where it is missing, or 2.0.x. Undefined: no version of ours. */
export function findSerializer(version: string | null): Serializer | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? "1.0.0");
  if (match?.[2] !== "0") return undefined;
  if (match[1] === "1") return serializerV1;
  return match[1] === "2" ? serializerV2 : undefined;
}
