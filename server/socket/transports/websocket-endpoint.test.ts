import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { WebSocket } from "ws";
import { orHang, until } from "#test/until.ts";
import { CLOSE, createSharedMessage } from "../transport.ts";
import {
  type HeldSockets,
  holdSockets,
  openEndpoints,
  openRaw,
  type TestEndpoints,
  toRequestText,
  UPGRADE,
} from "./test-endpoints.ts";

let endpoints: TestEndpoints | undefined;
const clients: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await endpoints?.app.close();
  endpoints = undefined;
});

async function listen(sockets: HeldSockets): Promise<number> {
  endpoints = await openEndpoints({ "/socket": sockets });
  return endpoints.port;
}

async function connect(port: number, protocols: string[] = []): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/socket/websocket?vsn=2.0.0`, protocols);
  clients.push(client);
  await once(client, "open");
  return client;
}

async function toCloseCode(client: WebSocket): Promise<number> {
  const [code] = await once(client, "close");
  return code;
}

const PATH = "/socket/websocket?vsn=2.0.0";
/** Longer than any test. */
const NEVER_MS = 3_600_000;
const HANDSHAKES = [
  { name: "a good handshake", path: PATH, headers: {}, status: 101, admitted: 1 },
  {
    name: "a slash at the end of the path",
    path: "/socket/websocket/?vsn=2.0.0",
    headers: {},
    status: 101,
    admitted: 1,
  },
  {
    name: "a choice of what to speak",
    path: PATH,
    headers: { upgrade: "h2c, WebSocket" },
    status: 101,
    admitted: 1,
  },
  { name: "a person who is refused", path: `${PATH}&token=bad`, headers: {}, status: 403, admitted: 1 },
  {
    name: "a version that is not spoken",
    path: "/socket/websocket?vsn=3.0.0",
    headers: {},
    status: 403,
    admitted: 1,
  },
  {
    name: "a foreign subprotocol",
    path: PATH,
    headers: { "sec-websocket-protocol": "graphql-ws" },
    status: 403,
    admitted: 0,
  },
  {
    name: "a token that is not base64",
    path: PATH,
    headers: { "sec-websocket-protocol": "phoenix, base64url.bearer.phx.!!!" },
    status: 403,
    admitted: 0,
  },
  { name: "another path", path: "/nothing/websocket", headers: {}, status: 404, admitted: 0 },
  {
    name: "Vite's socket where Vite is not",
    path: "/",
    headers: { "sec-websocket-protocol": "vite-hmr" },
    status: 404,
    admitted: 0,
  },
];

describe("an upgrade", () => {
  for (const { name, path, headers, status, admitted } of HANDSHAKES)
    test(`${name}: ${status}`, async () => {
      const sockets = holdSockets();
      const port = await listen(sockets);
      const client = await openRaw(port, toRequestText(path, { ...UPGRADE, ...headers }));
      await until(() => client.text.includes("\r\n\r\n"));
      expect(client.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(sockets.handshakes).toHaveLength(admitted);
      expect(sockets.held).toHaveLength(status === 101 ? 1 : 0);
      if (status === 101) client.socket.destroy();
      else {
        await until(() => client.isClosed);
        expect(client.text).toMatch(/\r\nContent-Length: 0\r\n\r\n$/);
      }
    });

  for (const [header, value, fault] of [
    ["sec-websocket-version", "12", `'sec-websocket-version' header must equal '13', got ["12"]`],
    ["sec-websocket-key", "a+b/==", `'sec-websocket-key' header must be 16 bytes in base64, got ["a+b/=="]`],
  ] as const)
    test(`says what is wrong with its ${header}, before anybody is asked`, async () => {
      const sockets = holdSockets();
      const client = await openRaw(
        await listen(sockets),
        toRequestText(PATH, { ...UPGRADE, [header]: value }),
      );
      await until(() => client.isClosed);
      expect(client.text).toMatch(/^HTTP\/1.1 400 /);
      expect(client.text.split("\r\n\r\n")[1]).toBe(fault);
      expect(sockets.handshakes).toHaveLength(0);
    });

  test("is none in HTTP/1.0", async () => {
    const port = await listen(holdSockets());
    const client = await openRaw(port, toRequestText(PATH, UPGRADE, "GET", "1.0"));
    await until(() => client.isClosed);
    expect(client.text).toMatch(/^HTTP\/1.1 400 /);
    expect(client.text.split("\r\n\r\n")[1]).toBe("HTTP version HTTP/1.0 unsupported");
  });

  test("gives the token of the subprotocol on and answers with the protocol alone", async () => {
    const sockets = holdSockets();
    const port = await listen(sockets);
    const client = await connect(port, ["phoenix", "base64url.bearer.phx.dG9rLys9ZT8"]);
    expect(client.protocol).toBe("phoenix");
    expect(sockets.handshakes[0]).toMatchObject({ authToken: "tok/+=e?", address: "127.0.0.1" });
  });

  test("behind a proxy comes to the host that it names itself, as a poll does, and not to X-Forwarded-Host", async () => {
    const sockets = holdSockets();
    endpoints = await openEndpoints({ "/socket": sockets }, true);
    const proxied = { "x-forwarded-host": "evil.test", origin: "https://public.test" };
    const client = await openRaw(endpoints.port, toRequestText(PATH, { ...UPGRADE, ...proxied }));
    await until(() => client.text.includes("\r\n\r\n"));
    client.socket.destroy();
    await fetch(`http://127.0.0.1:${endpoints.port}/socket/longpoll?vsn=2.0.0`, { headers: proxied });
    const { origin } = proxied;
    const [ofSocket, ofPoll] = sockets.handshakes.map((handshake) => handshake.headers);
    expect(ofSocket).toEqual({ origin, host: "site.test" });
    expect(ofPoll).toEqual({ origin, host: `127.0.0.1:${endpoints.port}` });
  });

  test("with a token in standard base64, which is no HTTP token, is good as well", async () => {
    const sockets = holdSockets();
    const port = await listen(sockets);
    const protocols = { "sec-websocket-protocol": "phoenix, base64url.bearer.phx.fn4/fj4=" };
    const client = await openRaw(port, toRequestText(PATH, { ...UPGRADE, ...protocols }));
    await until(() => client.text.includes("\r\n\r\n"));
    expect(client.text).toMatch(/^HTTP\/1.1 101 [\s\S]*sec-websocket-protocol: phoenix\r\n/i);
    expect(sockets.handshakes[0]?.authToken).toBe("~~?~>");
    client.socket.destroy();
  });

  test("with a token alone is answered without a protocol", async () => {
    const port = await listen(holdSockets());
    const protocols = { "sec-websocket-protocol": "base64url.bearer.phx.YWJj" };
    const client = await openRaw(port, toRequestText(PATH, { ...UPGRADE, ...protocols }));
    await until(() => client.text.includes("\r\n\r\n"));
    expect(client.text).toMatch(/^HTTP\/1.1 101 /);
    expect(client.text).not.toMatch(/sec-websocket-protocol/i);
    client.socket.destroy();
  });

  test("beyond the limit of an address is refused with when to come back, before anybody is asked", async () => {
    const sockets = holdSockets({ rules: { handshakesPerMinute: 1 } });
    const port = await listen(sockets);
    await connect(port);
    const client = await openRaw(port, toRequestText(PATH));
    await until(() => client.isClosed);
    expect(client.text).toMatch(/^HTTP\/1.1 429 [\s\S]*Retry-After: \d+\r\n\r\n$/);
    expect(sockets.handshakes).toHaveLength(1);
  });

  test("is answered 503 where admitting fails", async () => {
    const admit = () => Promise.reject(new Error("no database"));
    const port = await listen(holdSockets({ admit }));
    const client = await openRaw(port, toRequestText(PATH));
    await until(() => client.isClosed);
    expect(client.text).toMatch(/^HTTP\/1.1 503 /);
  });

  test("of HTTP/2, and any on a page, stays an ordinary request", async () => {
    const port = await listen(holdSockets());
    for (const upgrade of ["h2c", "websocket"]) {
      const headers = { ...UPGRADE, connection: "Upgrade, close", upgrade };
      const client = await openRaw(port, toRequestText("/cv", headers));
      await until(() => client.isClosed);
      expect(client.text).toMatch(/^HTTP\/1.1 200 [\s\S]*the cv$/);
    }
  });

  test("of Vite is left to Vite where it listens", async () => {
    const port = await listen(holdSockets());
    endpoints?.app.server.on("upgrade", (request, socket) => {
      if (request.url === "/?token=x") socket.end("taken by Vite");
    });
    const headers = { ...UPGRADE, "sec-websocket-protocol": "vite-hmr" };
    const client = await openRaw(port, toRequestText("/?token=x", headers));
    await until(() => client.isClosed);
    expect(client.text).toBe("taken by Vite");
    for (const [path, answer] of [
      ["/nothing", /^HTTP\/1.1 404 [\s\S]*"Not Found"/],
      ["/nothing/websocket", /^HTTP\/1.1 404 [\s\S]*\r\n\r\n$/],
    ] as const) {
      const other = await openRaw(port, toRequestText(path, headers));
      await until(() => answer.test(other.text));
      other.socket.destroy();
    }
  });

  test("goes to the rules of its own path", async () => {
    const [long, short] = [holdSockets(), holdSockets()];
    endpoints = await openEndpoints({ "/socket": long, "/short": short });
    const client = new WebSocket(`ws://127.0.0.1:${endpoints.port}/short/websocket?vsn=2.0.0`);
    clients.push(client);
    await once(client, "open");
    expect([long.held.length, short.held.length]).toEqual([0, 1]);
  });
});

describe("an ordinary request to the path of WebSockets", () => {
  test("learns what its GET lacks", async () => {
    const port = await listen(holdSockets());
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe(`'connection' header must contain 'upgrade', got ["keep-alive"]`);
  });

  test("is answered 400 without a word for any other method, whatever it carries", async () => {
    const port = await listen(holdSockets());
    for (const method of ["POST", "PUT", "DELETE"]) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, { method, headers, body: "{oops" });
      expect([answer.status, await answer.text()]).toEqual([400, ""]);
    }
  });
});

/** Open connections of the server. */
const countConnections = () =>
  new Promise<number>((resolve) => endpoints?.app.server.getConnections((_error, open) => resolve(open)));

describe("a client that goes away", () => {
  test("while it is being admitted is never opened", async () => {
    let admit: (isGood: boolean) => void = () => {};
    const sockets = holdSockets({ admit: () => new Promise((resolve) => (admit = resolve)) });
    const port = await listen(sockets);
    const client = await openRaw(port, toRequestText(PATH));
    await until(() => sockets.handshakes.length === 1);
    client.socket.resetAndDestroy();
    await until(async () => (await countConnections()) === 0);
    admit(true);
    await pause(50);
    expect(sockets.held).toHaveLength(0);
  });

  test("leaves nothing behind, a thousand half-open handshakes of it either", async () => {
    const settle: ((isGood: boolean) => void)[] = [];
    const sockets = holdSockets({ admit: () => new Promise((resolve) => settle.push(resolve)) });
    const port = await listen(sockets);
    const half = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        openRaw(
          port,
          index % 2 ? toRequestText(PATH) : "GET /socket/websocket?vsn=2.0.0 HTTP/1.1\r\nHost: a\r\n",
        ),
      ),
    );
    await until(() => sockets.handshakes.length === 500);
    for (const [index, client] of half.entries())
      index % 3 ? client.socket.resetAndDestroy() : client.socket.destroy();
    await pause(100);
    for (const one of settle) one(true);
    await until(async () => (await countConnections()) === 0);
    await until(() => sockets.held.every(({ endCount }) => endCount > 0));
  });

  test("ends its connection once it is lost", async () => {
    const sockets = holdSockets();
    const client = await connect(await listen(sockets));
    client.terminate();
    await until(() => sockets.first().endCount === 1);
  });
});

/** A client's frame, masked with zeros. */
function toClientFrame(first: number, data: Buffer): Buffer {
  const head =
    data.length < 126
      ? [first, 0x80 | data.length]
      : [first, 0x80 | 126, data.length >> 8, data.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), data]);
}

const FAULTS = [
  { name: "text that is not UTF-8", frame: toClientFrame(0x81, Buffer.from([0xc3, 0x28])), code: 1007 },
  { name: "a frame above the limit", frame: toClientFrame(0x81, Buffer.alloc(301, 97)), code: 1009 },
  {
    name: "a fragmented message above the limit",
    frame: Buffer.concat([
      toClientFrame(0x01, Buffer.alloc(200, 97)),
      toClientFrame(0x80, Buffer.alloc(101, 97)),
    ]),
    code: 1009,
  },
  { name: "a frame without a mask", frame: Buffer.from([0x81, 0x01, 0x61]), code: 1002 },
  { name: "an operation that is not defined", frame: toClientFrame(0x83, Buffer.from("a")), code: 1002 },
  { name: "a client's close with 4000", frame: toClientFrame(0x88, Buffer.from([0x0f, 0xa0])), code: 1000 },
  { name: "a client's close without a code", frame: toClientFrame(0x88, Buffer.alloc(0)), code: 1000 },
];

describe("on the wire", () => {
  for (const { name, frame, code } of FAULTS)
    test(`${name} is answered with ${code}`, async () => {
      const sockets = holdSockets({ rules: { maxFrameBytes: 300 } });
      const client = await openRaw(await listen(sockets), toRequestText(PATH));
      await until(() => client.text.includes("\r\n\r\n"));
      client.socket.write(frame);
      await until(() => client.isClosed);
      const [, frames = ""] = client.text.split("\r\n\r\n");
      const close = Buffer.from(frames, "latin1");
      expect([close[0], close[1], close.readUInt16BE(2)]).toEqual([0x88, 2, code]);
      // Both sides see the end of a connection, neither of them first.
      await until(() => sockets.first().endCount > 0);
      expect(sockets.first()).toMatchObject({ received: [], endCount: 1 });
    });

  for (const code of Object.values(CLOSE))
    test(`a close of ours carries ${code}, behind what waits`, async () => {
      const sockets = holdSockets();
      const client = await connect(await listen(sockets));
      const received: string[] = [];
      client.on("message", (data) => received.push(String(data)));
      sockets.first().transport.send("last words");
      sockets.first().transport.close(code);
      sockets.first().transport.send("too late");
      expect(await toCloseCode(client)).toBe(code);
      expect(received).toEqual(["last words"]);
    });

  test("text and bytes reach the connection as they were sent, up to the limit", async () => {
    const sockets = holdSockets();
    const client = await connect(await listen(sockets));
    const longest = "ş".repeat(32_768);
    client.send("[1]");
    client.send(longest);
    client.send(Buffer.from([0, 1, 2]));
    await until(() => sockets.first().received.length === 3);
    expect(sockets.first().received).toEqual(["[1]", longest, Buffer.from([0, 1, 2])]);
  });

  test("a ping is answered with its own payload", async () => {
    const client = await connect(await listen(holdSockets()));
    client.ping("are you there");
    const [data] = await once(client, "pong");
    expect(String(data)).toBe("are you there");
  });

  test("messages of one turn arrive in order, own and shared ones, text and bytes", async () => {
    const sockets = holdSockets();
    const client = await connect(await listen(sockets));
    const received: string[] = [];
    client.on("message", (data, isBinary) => received.push(isBinary ? `bytes ${data}` : String(data)));
    const { transport } = sockets.first();
    transport.send("one");
    transport.sendShared(createSharedMessage({ topic: "t", event: "e", payload: {} }));
    transport.send(Buffer.from("three"));
    transport.send("x".repeat(70_000));
    await until(() => received.length === 4);
    expect(received).toEqual(["one", '[null,null,"t","e",{}]', "bytes three", "x".repeat(70_000)]);
  });

  test("messages of one turn leave in one write", async () => {
    const sockets = holdSockets();
    const port = await listen(sockets);
    let socket: Socket | undefined;
    endpoints?.app.server.once("connection", (accepted) => {
      socket = accepted;
    });
    const client = await connect(port);
    let receivedCount = 0;
    client.on("message", () => {
      receivedCount += 1;
    });
    const { transport } = sockets.first();
    const write = jest.spyOn(socket as unknown as Socket, "write");
    for (const text of ["one", "two", "three"]) transport.send(text);
    await until(() => receivedCount === 3);
    expect(write).toHaveBeenCalledTimes(1);
  });
});

describe("a client that reads too slowly", () => {
  test("is cut off at the bound, while others go on", async () => {
    const sockets = holdSockets({ rules: { maxBufferedBytes: 300_000 } });
    const port = await listen(sockets);
    const slow = await openRaw(port, toRequestText(PATH));
    await until(() => sockets.held.length === 1);
    slow.socket.pause();
    const fast = await connect(port);
    await until(() => sockets.held.length === 2);
    let receivedCount = 0;
    fast.on("message", () => {
      receivedCount += 1;
    });
    const message = createSharedMessage({ topic: "t", event: "e", payload: { text: "x".repeat(50_000) } });
    let sentCount = 0;
    while (sockets.first().endCount === 0 && sentCount < 2000) {
      for (const { transport } of sockets.held) transport.sendShared(message);
      sentCount += 1;
      const sent = sentCount;
      await until(() => receivedCount === sent);
    }
    expect(sockets.held.map(({ endCount }) => endCount)).toEqual([1, 0]);
    expect(sentCount).toBeGreaterThan(5);
    slow.socket.destroy();
  });

  test("is cut off by what one turn queues for it too, and receives nothing after that", async () => {
    const sockets = holdSockets({ rules: { maxBufferedBytes: 1000 } });
    const client = await connect(await listen(sockets));
    const { transport } = sockets.first();
    transport.send("x".repeat(600));
    transport.send("x".repeat(600));
    transport.send("y");
    expect(await toCloseCode(client)).toBe(1006);
    await until(() => sockets.first().endCount === 1);
  });
});

describe("a client that says nothing", () => {
  test("is closed with 1002, though it is written to", async () => {
    const sockets = holdSockets({ rules: { idleTimeoutMs: 200 } });
    const client = await connect(await listen(sockets));
    const pushes = setInterval(() => sockets.first().transport.send("news"), 20);
    expect(await toCloseCode(client)).toBe(1002);
    clearInterval(pushes);
    await until(() => sockets.first().endCount > 0);
  });

  test("stays while it sends messages or pings", async () => {
    const sockets = holdSockets({ rules: { idleTimeoutMs: 300 } });
    const client = await connect(await listen(sockets));
    for (let turn = 0; turn < 10; turn += 1) {
      await pause(60);
      if (turn % 2) client.send("[]");
      else client.ping();
    }
    expect(client.readyState).toBe(WebSocket.OPEN);
    expect(await toCloseCode(client)).toBe(1002);
  });
});

describe("a server that stops", () => {
  test("notifies everybody and ends at once when they go", async () => {
    const sockets = holdSockets({ rules: { drainTimeoutMs: NEVER_MS } });
    const client = await connect(await listen(sockets));
    const [code] = await orHang(Promise.all([toCloseCode(client), endpoints?.app.close()]));
    expect(code).toBe(1012);
  });

  test("cuts who doesn't answer its close, and who is still being admitted", async () => {
    const admit = [async () => true, () => new Promise<boolean>(() => {})];
    const sockets = holdSockets({
      rules: { drainTimeoutMs: 200 },
      admit: () => (admit.shift() ?? admitNobody)(),
    });
    const port = await listen(sockets);
    const silent = await openRaw(port, toRequestText(PATH));
    await until(() => sockets.held.length === 1);
    const waiting = await openRaw(port, toRequestText(PATH));
    await until(() => sockets.handshakes.length === 2);
    await endpoints?.app.close();
    await until(() => silent.isClosed && waiting.isClosed);
    await until(() => sockets.first().endCount === 1);
  });
});

async function admitNobody(): Promise<boolean> {
  return false;
}
