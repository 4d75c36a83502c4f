import type { Writable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import * as ws from "ws";
import { serializerV1, serializerV2 } from "./serializer.ts";
import { createSharedMessage, toFrame } from "./transport.ts";

describe("transport", () => {
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
});

describe("shared message", () => {
  test("a message for many is encoded and framed once for each version", () => {
    let encoded = 0;
    const payload = {
      toJSON() {
        encoded += 1;
        return { text: "x" };
      },
    };
    const message = createSharedMessage({ topic: "room:a", event: "said", payload });
    const [frame, olderFrame] = [message.toFrame(serializerV2), message.toFrame(serializerV1)];
    expect(message.toFrame(serializerV2)).toBe(frame);
    expect(message.toFrame(serializerV1)).toBe(olderFrame);
    expect(message.encode(serializerV2)).toBe('[null,null,"room:a","said",{"text":"x"}]');
    expect(message.encode(serializerV1)).toContain('"payload":{"text":"x"}');
    expect(encoded).toBe(2);
  });

  test("nothing is encoded before somebody needs it", () => {
    const payload = {
      toJSON() {
        throw new Error("encoded");
      },
    };
    expect(() => createSharedMessage({ topic: "room:a", event: "said", payload })).not.toThrow();
  });
});
