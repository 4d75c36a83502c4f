import { expect, test } from "@jest/globals";
import {
  ATTRIBUTE,
  CLASS,
  deriveKey,
  encodeEndpoint,
  encodeStun,
  hasIntegrity,
  METHOD,
  parseStun,
  readEndpoint,
  readErrorCode,
} from "./stun-message.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ""), "hex");

/** RFC 5769, 2.2: an answer over IPv4, signed with the short-term password below. */
const SAMPLE = hex(`
  0101003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220
  00200008 0001a147 e112a643 00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7
  80280004 c07d4c96`);
const SAMPLE_KEY = Buffer.from("VOkJxbRl1RmTxUk/WvJxBt");
/** RFC 5769, 2.3: the same over IPv6. */
const SAMPLE_6 = hex(`
  01010048 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220
  00200014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9 00080014 a382954e 4be67bf1
  1784c97c 8292c275 bfe3ed41 80280004 c8fb0b4c`);

test("the samples of RFC 5769 are read, and their signatures hold", () => {
  const answer = parseStun(SAMPLE);
  const answer6 = parseStun(SAMPLE_6);
  if (!answer || !answer6) throw new Error("not read");
  expect(readEndpoint(answer, ATTRIBUTE.mappedAddress)).toEqual({ address: "192.0.2.1", port: 32853 });
  expect(readEndpoint(answer6, ATTRIBUTE.mappedAddress)).toEqual({
    address: "2001:db8:1234:5678:11:2233:4455:6677",
    port: 32853,
  });
  expect(hasIntegrity(answer, SAMPLE_KEY)).toBe(true);
  expect(hasIntegrity(answer6, SAMPLE_KEY)).toBe(true);
  expect(hasIntegrity(answer, Buffer.from("another"))).toBe(false);
});

test("what is written is read again, signed", () => {
  const key = deriveKey("user", "realm", "pass");
  expect(key.toString("hex")).toBe("8493fbc53ba582fb4c044c456bdc40eb");
  const endpoint = { address: "203.0.113.7", port: 49_160 };
  const bytes = encodeStun({
    type: METHOD.permit | CLASS.request,
    transactionId: Buffer.alloc(12, 7),
    attributes: [
      [ATTRIBUTE.peerAddress, encodeEndpoint(endpoint)],
      [ATTRIBUTE.username, Buffer.from("1:5")],
    ],
    key,
  });
  const message = parseStun(bytes);
  if (!message) throw new Error("not read");
  expect(message.attributes.get(ATTRIBUTE.username)?.toString()).toBe("1:5");
  expect(readEndpoint(message, ATTRIBUTE.peerAddress)).toEqual(endpoint);
  expect(hasIntegrity(message, key)).toBe(true);
});

test("what stands behind the signature doesn't count", () => {
  const signed = parseStun(SAMPLE);
  const extra = Buffer.concat([SAMPLE.subarray(0, -8), hex("00150004 61626364")]);
  const message = parseStun(extra);
  expect(signed?.attributes.has(ATTRIBUTE.fingerprint)).toBe(true);
  expect(message?.attributes.has(ATTRIBUTE.nonce)).toBe(false);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a head alone that is cut", SAMPLE.subarray(0, 16)],
  ["a message that is cut", SAMPLE.subarray(0, 40)],
  ["a message with more behind it", Buffer.concat([SAMPLE, Buffer.alloc(4)])],
  ["another cookie", Buffer.concat([SAMPLE.subarray(0, 4), Buffer.alloc(4), SAMPLE.subarray(8)])],
  ["RTP", Buffer.concat([Buffer.from([0x80]), SAMPLE.subarray(1)])],
  [
    "an attribute that is longer than the message",
    hex("01010008 2112a442 000000000000000000000000 0020ffff 00000000"),
  ],
])("%s is no message", (_what, bytes) => {
  expect(parseStun(bytes)).toBeUndefined();
});

test.each([
  ["none", hex("01010000 2112a442 000000000000000000000000")],
  ["too short", hex("01010008 2112a442 000000000000000000000000 00200004 00010000")],
  ["of a strange family", hex("0101000c 2112a442 000000000000000000000000 00200008 0009000000000000")],
  ["IPv6 with four bytes", hex("0101000c 2112a442 000000000000000000000000 00200008 0002000000000000")],
])("an address that is %s is none", (_what, bytes) => {
  const message = parseStun(bytes);
  expect(message && readEndpoint(message, ATTRIBUTE.mappedAddress)).toBeUndefined();
});

test("no number of bytes makes the reader throw", () => {
  for (let seed = 0; seed < 2000; seed += 1) {
    const bytes = Buffer.from(SAMPLE);
    for (let turn = 0; turn < 3; turn += 1)
      bytes[(seed * 7 + turn * 13) % bytes.length] = (seed * 31 + turn * 17) % 256;
    const message = parseStun(bytes);
    if (!message) continue;
    readEndpoint(message, ATTRIBUTE.mappedAddress);
    readErrorCode(message);
    hasIntegrity(message, SAMPLE_KEY);
  }
});

test("the code of a refusal", () => {
  const message = parseStun(hex("01130008 2112a442 000000000000000000000000 00090004 00000401"));
  expect(message && readErrorCode(message)).toBe(401);
});
