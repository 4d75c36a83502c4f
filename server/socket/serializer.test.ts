import { describe, expect, test } from "@jest/globals";
import { DecodeError, findSerializer, type Serializer, serializerV1, serializerV2 } from "./serializer.ts";

const hex = (text: string) => Buffer.from(text, "hex");

/** Undefined stands for a refused version. */
function findVersion(vsn: string | null): string | undefined {
  return findSerializer(vsn)?.version;
}

test.each([
  [null, "1"],
  ["1.0.0", "1"],
  ["1.0.7", "1"],
  ["2.0.0", "2"],
  ["2.0.12", "2"],
  ["1.1.0", undefined],
  ["2.1.0", undefined],
  ["3.0.0", undefined],
  ["2.0", undefined],
  ["abc", undefined],
  ["", undefined],
])("vsn %p is version %p", (vsn, version) => {
  expect(findVersion(vsn)).toBe(version);
});

describe("text of version 2", () => {
  test("keeps refs as they came, numbers too", () => {
    expect(serializerV2.decodeText('[7,"8","a","b",{"c":1}]')).toEqual({
      joinRef: 7,
      ref: "8",
      topic: "a",
      event: "b",
      payload: { c: 1 },
    });
  });

  test("tolerates more elements, any payload and a number as topic", () => {
    expect(serializerV2.decodeText('[null,null,5,"b",null,"more"]')).toEqual({
      joinRef: null,
      ref: null,
      topic: 5,
      event: "b",
      payload: null,
    });
  });

  const long = "x".repeat(256);
  test.each([
    "",
    "{oops",
    '"text"',
    "null",
    "[]",
    '[null,"1","phoenix","heartbeat"]',
    '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}',
    '[{},"1","a","b",{}]',
    '["1",[],"a","b",{}]',
    '["1","1",null,"b",{}]',
    '["1","1",true,"b",{}]',
    '["1","1","a",5,{}]',
    `["${long}","1","a","b",{}]`,
    `["1","${long}","a","b",{}]`,
    `["1","1","${long}","b",{}]`,
    `["1","1","a","${long}",{}]`,
  ])("refuses %p", (text) => {
    expect(() => serializerV2.decodeText(text)).toThrow(DecodeError);
  });
});

describe("text of version 1", () => {
  test("has a join_ref only where the client sent one", () => {
    const text = '{"topic":"a","event":"b","payload":{},"ref":"3"}';
    expect(serializerV1.decodeText(text)).toMatchObject({ joinRef: null, ref: "3" });
    expect(serializerV1.decodeText(text.replace("{", '{"join_ref":"2",'))).toMatchObject({ joinRef: "2" });
  });

  test.each([
    '{"topic":"phoenix","event":"heartbeat"}',
    '[null,"1","phoenix","heartbeat",{}]',
    "null",
    "5",
    "{}",
  ])("refuses %p", (text) => {
    expect(() => serializerV1.decodeText(text)).toThrow(DecodeError);
  });

  test("takes and sends no bytes", () => {
    expect(() => serializerV1.decodeBinary(hex("00"))).toThrow(DecodeError);
    expect(() => serializerV1.encodeBroadcast({ topic: "a", event: "b", payload: hex("01") })).toThrow();
  });
});

describe("bytes of version 2", () => {
  test("of a client hold four names and the data", () => {
    const message = serializerV2.decodeBinary(hex("0001020103 31 3332 61 c3bc62 0102ff".replaceAll(" ", "")));
    expect(message).toMatchObject({ joinRef: "1", ref: "32", topic: "a", event: "üb" });
    expect(Buffer.from(message.payload as Uint8Array)).toEqual(hex("0102ff"));
  });

  test.each([
    "",
    "00",
    "0001010101",
    "01010101013161",
    "00ff00000061",
    "0001000100ff61", // a name that is no UTF-8
  ])("refuses %p", (bytes) => {
    expect(() => serializerV2.decodeBinary(hex(bytes))).toThrow(DecodeError);
  });

  // The answers of scenario 24, recorded from Phoenix.
  test.each<[string, (serializer: Serializer) => unknown, string]>([
    [
      "a reply",
      (serializer) =>
        serializer.encodeReply({
          joinRef: "6",
          ref: "7",
          topic: "voice:room:r24",
          status: "ok",
          response: hex("010203ff"),
        }),
      "0101010e023637766f6963653a726f6f6d3a7232346f6b010203ff",
    ],
    [
      "a push",
      (serializer) =>
        serializer.encodePush({
          joinRef: "6",
          ref: null,
          topic: "voice:room:r24",
          event: "bin_pushed",
          payload: hex("0908"),
        }),
      "00010e0a36766f6963653a726f6f6d3a72323462696e5f7075736865640908",
    ],
    [
      "a broadcast",
      (serializer) =>
        serializer.encodeBroadcast({ topic: "voice:room:r24", event: "bin_broadcast", payload: hex("") }),
      "020e0d766f6963653a726f6f6d3a72323462696e5f62726f616463617374",
    ],
  ])("%s is what Phoenix sends", (_name, encode, bytes) => {
    expect(encode(serializerV2)).toEqual(hex(bytes));
  });

  test("have no room for a name of 256 bytes", () => {
    expect(() =>
      serializerV2.encodeBroadcast({ topic: "ü".repeat(128), event: "b", payload: hex("01") }),
    ).toThrow("255 bytes");
  });
});
