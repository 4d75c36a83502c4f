import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { buildFrame, buildTextFrame, createFrameReader, OPCODE } from "./frame.ts";

/** Lengths around each form of the header. */
const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000];

test.each(LENGTHS)("a server reads a masked frame of %d bytes as it was meant", async (length) => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as { port: number }; // it listens on a port
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const connected = once(server, "connection");
  // The bare socket below the library: what it writes is what `buildFrame` built.
  const [{ socket }] = await once(client, "upgrade");
  const [peer] = (await connected) as [WebSocket];
  const payload = Buffer.alloc(length, "ş");
  const received = once(peer, "message") as Promise<[RawData, boolean]>;
  socket.write(buildFrame({ opcode: OPCODE.binary, payload }));
  const [data, isBinary] = await received;
  expect(isBinary).toBe(true);
  expect(data).toEqual(payload);
  client.terminate();
  server.close();
});

test("two frames of the same text look different on the wire", () => {
  expect(buildTextFrame("speaking")).not.toEqual(buildTextFrame("speaking"));
});

test("frames are read whole wherever the chunks are cut", () => {
  const texts = LENGTHS.map((length) => "ğ".repeat(length));
  const stream = Buffer.concat(
    texts.map((text) => buildFrame({ opcode: OPCODE.text, payload: Buffer.from(text), isMasked: false })),
  );
  for (const size of [1, 2, 3, 127, 4096, 65_536, stream.length]) {
    const read: string[] = [];
    const take = createFrameReader((opcode, payload) => {
      expect(opcode).toBe(OPCODE.text);
      read.push(payload.toString());
    });
    // One byte at a time would copy what is left of the largest frames over and over.
    const end = size < 100 ? 2000 : stream.length;
    for (let start = 0; start < end; start += size) take(stream.subarray(start, Math.min(end, start + size)));
    if (end < stream.length) take(stream.subarray(end));
    expect(read).toEqual(texts);
  }
});

test.each([
  ["a masked frame", buildTextFrame("x")],
  [
    "a reserved bit",
    buildFrame({ opcode: OPCODE.text, payload: Buffer.from("x"), isMasked: false, reserved: 4 }),
  ],
  [
    "a part of a message",
    buildFrame({ opcode: OPCODE.text, payload: Buffer.from("x"), isMasked: false, isFinal: false }),
  ],
])("%s of a server is an error", (_name, frame) => {
  expect(() => createFrameReader(() => undefined)(frame)).toThrow("a server sent");
});

test("a length that the header lies about is written as it was given", () => {
  const frame = buildFrame({
    opcode: OPCODE.text,
    payload: Buffer.from("x"),
    isMasked: false,
    claimedLength: 300,
  });
  expect(frame).toEqual(Buffer.from([0x81, 126, 1, 44, 0x78]));
});
