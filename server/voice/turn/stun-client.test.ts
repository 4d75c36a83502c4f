import { createSocket, type Socket } from "node:dgram";
import { createServer } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { allocate, askBinding } from "./stun-client.ts";
import { openStunLink } from "./stun-link.ts";
import {
  ATTRIBUTE,
  CLASS,
  encodeEndpoint,
  encodeStun,
  METHOD,
  parseStun,
  type StunMessage,
} from "./stun-message.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

/** A server that answers each message with what `answer` gives. */
async function serve(answer: (message: StunMessage) => readonly Buffer[]): Promise<number> {
  const socket: Socket = createSocket("udp4");
  open.push(socket);
  socket.on("message", (bytes, { port, address }) => {
    const message = parseStun(bytes);
    for (const reply of message ? answer(message) : []) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return socket.address().port;
}

async function toLink(port: number, ms = 30_000) {
  const url = { scheme: "turn", host: "127.0.0.1", port, transport: "udp" } as const;
  const link = await openStunLink(url, AbortSignal.timeout(ms));
  open.push(link);
  return link;
}

const PERSON = { username: "1:7", credential: "pass" };
const challenge = ({ transactionId, type }: StunMessage) =>
  encodeStun({
    type: type | CLASS.error,
    transactionId,
    attributes: [
      [ATTRIBUTE.error, Buffer.from([0, 0, 4, 1])],
      [ATTRIBUTE.realm, Buffer.from("foyer")],
      [ATTRIBUTE.nonce, Buffer.from("n")],
    ],
  });

test("an answer is found among noise, other people's answers and broken ones", async () => {
  const port = await serve((message) => {
    const { transactionId } = message;
    const good = encodeStun({
      type: METHOD.binding | CLASS.success,
      transactionId,
      attributes: [[ATTRIBUTE.mappedAddress, encodeEndpoint({ address: "203.0.113.7", port: 99 })]],
    });
    const other = encodeStun({ type: METHOD.binding | CLASS.success, transactionId: Buffer.alloc(12, 1) });
    return [Buffer.from("noise"), Buffer.alloc(0), other, good.subarray(0, 24), good];
  });
  expect(await askBinding(await toLink(port))).toEqual({ address: "203.0.113.7", port: 99 });
});

test("a question that got lost is asked again", async () => {
  let asked = 0;
  const port = await serve(({ transactionId }) => {
    asked += 1;
    if (asked === 1) return [];
    const attributes = [[ATTRIBUTE.mappedAddress, encodeEndpoint({ address: "8.8.8.8", port: 1 })]] as const;
    return [encodeStun({ type: METHOD.binding | CLASS.success, transactionId, attributes })];
  });
  expect((await askBinding(await toLink(port))).address).toBe("8.8.8.8");
});

test("a server that says nothing is waited for until the signal", async () => {
  const port = await serve(() => []);
  await expect(askBinding(await toLink(port, 50))).rejects.toThrow("no answer in time");
});

test("a port where nobody is fails at once", async () => {
  const port = await serve(() => []);
  for (const thing of open.splice(0)) thing.close();
  await expect(askBinding(await toLink(port))).rejects.toThrow("ECONNREFUSED");
});

test("an answer without an address is none", async () => {
  const port = await serve(({ transactionId }) => [
    encodeStun({ type: METHOD.binding | CLASS.success, transactionId }),
  ]);
  await expect(askBinding(await toLink(port))).rejects.toThrow("no address");
});

test("a relay that refuses for ever is asked twice", async () => {
  let asked = 0;
  const port = await serve((message) => {
    asked += 1;
    return [challenge(message)];
  });
  await expect(allocate(await toLink(port), PERSON)).rejects.toMatchObject({ code: 401 });
  expect(asked).toBe(2);
});

test("a relay whose answer isn't signed is none", async () => {
  const port = await serve((message) => {
    if (!message.attributes.has(ATTRIBUTE.username)) return [challenge(message)];
    const attributes = [[ATTRIBUTE.relayedAddress, encodeEndpoint({ address: "8.8.8.8", port: 1 })]] as const;
    return [
      encodeStun({ type: METHOD.allocate | CLASS.success, transactionId: message.transactionId, attributes }),
    ];
  });
  await expect(allocate(await toLink(port), PERSON)).rejects.toThrow("isn't signed");
});

test("a refusal that says neither code nor realm can't be read", async () => {
  const port = await serve(({ transactionId, type }) => [
    encodeStun({ type: type | CLASS.error, transactionId }),
  ]);
  await expect(allocate(await toLink(port), PERSON)).rejects.toThrow("can't be read");
});

test("a web server on the port is no relay", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const url = { scheme: "turn", host: "127.0.0.1", port, transport: "tcp" } as const;
  const link = await openStunLink(url, AbortSignal.timeout(30_000));
  open.push(link);
  await expect(askBinding(link)).rejects.toThrow();
});
