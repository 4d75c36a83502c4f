import type { Writable } from "node:stream";
import { expect, test } from "@jest/globals";
import * as ws from "ws";
import { toFrame } from "./frame.ts";

/** The library's own reader; its types leave it out. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable };

/** Reads frames as a client does, with the reader of the WebSocket library. */
function readFrames(bytes: Buffer): { data: Buffer; isBinary: boolean }[] {
  const messages: { data: Buffer; isBinary: boolean }[] = [];
  const receiver = new Receiver({ isServer: false });
  receiver.on("message", (data: Buffer, isBinary: boolean) => messages.push({ data, isBinary }));
  receiver.on("error", (error: unknown) => {
    throw error;
  });
  receiver.write(bytes);
  return messages;
}

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])(
  "a text of %p bytes is read back whole",
  (length) => {
    const text = "x".repeat(length);
    expect(readFrames(toFrame(text))).toEqual([{ data: Buffer.from(text), isBinary: false }]);
  },
);

test("a text beyond ASCII counts in bytes", () => {
  const text = "ğüşıöç🎧".repeat(20);
  expect(readFrames(toFrame(text))).toEqual([{ data: Buffer.from(text), isBinary: false }]);
});

test("bytes stay bytes", () => {
  const data = Uint8Array.from([0, 1, 255]);
  expect(readFrames(toFrame(data))).toEqual([{ data: Buffer.from(data), isBinary: true }]);
});

test("frames behind each other are read apart", () => {
  expect(readFrames(Buffer.concat([toFrame("a"), toFrame("b")])).map(({ data }) => String(data))).toEqual([
    "a",
    "b",
  ]);
});
