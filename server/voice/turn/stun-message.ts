import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

/** STUN messages (RFC 8489) as far as asking a server goes, with the methods of TURN (RFC 8656). */
export const METHOD = {
  binding: 0x001,
  allocate: 0x003,
  refresh: 0x004,
  send: 0x006,
  permit: 0x008,
} as const;
export type Method = (typeof METHOD)[keyof typeof METHOD];

/** Bits of a message's type that say whether it is a request, an indication, or an answer. */
export const CLASS = { request: 0x000, indication: 0x010, success: 0x100, error: 0x110 } as const;

export const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  peerAddress: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayedAddress: 0x0016,
  transport: 0x0019,
  mappedAddress: 0x0020,
  fingerprint: 0x8028,
} as const;

export const HEADER_BYTES = 20;
const MAGIC_COOKIE = 0x2112a442;
const FINGERPRINT_XOR = 0x5354554e;
const INTEGRITY_BYTES = 4 + 20;
const FINGERPRINT_BYTES = 4 + 4;

export type Attribute = readonly [type: number, value: Buffer];

export interface StunMessage {
  type: number;
  /** 12 bytes. */
  transactionId: Buffer;
  /** The first of each type; what stands behind the integrity doesn't count. */
  attributes: ReadonlyMap<number, Buffer>;
  /** All of it, for `hasIntegrity`. */
  bytes: Buffer;
}

/** An address and a port, as STUN writes them. */
export interface Endpoint {
  address: string;
  port: number;
}

/** Of the long-term credential mechanism: RFC 8489, 9.2.2. */
export function deriveKey(username: string, realm: string, password: string): Buffer {
  return createHash("md5").update(`${username}:${realm}:${password}`).digest();
}

function encodeAttribute([type, value]: Attribute): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

/** The length in a header counts up to the end of the attribute whose sum is made. */
function withLength(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(length, 2);
  return copy;
}

function signUpTo(bytes: Buffer, key: Buffer): Buffer {
  const counted = withLength(bytes, bytes.length - HEADER_BYTES + INTEGRITY_BYTES);
  return createHmac("sha1", key).update(counted).digest();
}

/** A message with its fingerprint, and with its integrity where there is a key. */
export function encodeStun(message: {
  type: number;
  transactionId: Buffer;
  attributes?: readonly Attribute[];
  key?: Buffer;
}): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(message.type, 0);
  header.writeUInt32BE(MAGIC_COOKIE, 4);
  message.transactionId.copy(header, 8);
  let bytes: Buffer = Buffer.concat([header, ...(message.attributes ?? []).map(encodeAttribute)]);
  if (message.key) {
    const integrity = encodeAttribute([ATTRIBUTE.integrity, signUpTo(bytes, message.key)]);
    bytes = Buffer.concat([bytes, integrity]);
  }
  bytes = withLength(bytes, bytes.length - HEADER_BYTES + FINGERPRINT_BYTES);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE((crc32(bytes) ^ FINGERPRINT_XOR) >>> 0);
  return Buffer.concat([bytes, encodeAttribute([ATTRIBUTE.fingerprint, sum])]);
}

/** Undefined where these bytes aren't one whole message. */
export function parseStun(bytes: Buffer): StunMessage | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length % 4 !== 0) return undefined;
  const type = bytes.readUInt16BE(0);
  const isStun = type < 0x4000 && bytes.readUInt32BE(4) === MAGIC_COOKIE;
  if (!isStun || bytes.readUInt16BE(2) !== bytes.length - HEADER_BYTES) return undefined;
  const attributes = new Map<number, Buffer>();
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const attribute = bytes.readUInt16BE(at);
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return undefined;
    const isSigned = !attributes.has(ATTRIBUTE.integrity) || attribute === ATTRIBUTE.fingerprint;
    if (isSigned && !attributes.has(attribute)) attributes.set(attribute, bytes.subarray(at + 4, end));
    at = HEADER_BYTES + Math.ceil((end - HEADER_BYTES) / 4) * 4;
  }
  return { type, transactionId: bytes.subarray(8, HEADER_BYTES), attributes, bytes };
}

/** Whether whoever wrote the message knows the key. */
export function hasIntegrity({ attributes, bytes }: StunMessage, key: Buffer): boolean {
  const given = attributes.get(ATTRIBUTE.integrity);
  if (given?.length !== 20) return false;
  const start = given.byteOffset - bytes.byteOffset - 4;
  return timingSafeEqual(given, signUpTo(bytes.subarray(0, start), key));
}

/** What an address is masked with, so that routers that rewrite addresses leave it alone. */
function toMask(transactionId: Buffer): Buffer {
  const cookie = Buffer.alloc(4);
  cookie.writeUInt32BE(MAGIC_COOKIE);
  return Buffer.concat([cookie, transactionId]);
}

/** An attribute of the XOR-MAPPED-ADDRESS kind; undefined where it is none. IPv6 is written in full. */
export function readEndpoint({ attributes, transactionId }: StunMessage, type: number): Endpoint | undefined {
  const value = attributes.get(type);
  if (!value || value.length < 8) return undefined;
  const mask = toMask(transactionId);
  const port = value.readUInt16BE(2) ^ mask.readUInt16BE(0);
  const address = Buffer.from(value.subarray(4).map((byte, index) => byte ^ (mask[index] ?? 0)));
  if (value[1] === 1 && address.length === 4) return { address: address.join("."), port };
  if (value[1] !== 2 || address.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(2 * index).toString(16));
  return { address: groups.join(":"), port };
}

/** The value of an attribute of that kind, for an IPv4 address. */
export function encodeEndpoint({ address, port }: Endpoint): Buffer {
  const mask = toMask(Buffer.alloc(12));
  const value = Buffer.from([0, 1, 0, 0, ...address.split(".").map(Number)]);
  value.writeUInt16BE(port ^ mask.readUInt16BE(0), 2);
  for (let index = 0; index < 4; index += 1) value[4 + index] = (value[4 + index] ?? 0) ^ (mask[index] ?? 0);
  return value;
}

/** The code of an error answer, 300 to 699; undefined where there is none. */
export function readErrorCode({ attributes }: StunMessage): number | undefined {
  const value = attributes.get(ATTRIBUTE.error);
  if (!value || value.length < 4) return undefined;
  return ((value[2] ?? 0) & 0x07) * 100 + (value[3] ?? 0);
}
