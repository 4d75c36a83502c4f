import { expect, test } from "@jest/globals";
import { serializerV1, serializerV2 } from "./serializer.ts";
import { createSharedMessage } from "./shared-message.ts";

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
