import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { orHang, until } from "#test/until.ts";
import { CLOSE, createSharedMessage } from "../transport.ts";
import {
  type HeldSockets,
  holdSockets,
  openEndpoints,
  openRaw,
  type TestEndpoints,
  toRequestText,
} from "./test-endpoints.ts";

/** Longer than any test. */
const NEVER_MS = 3_600_000;

let endpoints: TestEndpoints | undefined;
afterEach(async () => {
  await endpoints?.app.close();
  endpoints = undefined;
});

interface Answer {
  status: number;
  token: string;
  messages: string[];
}

/** An endpoint and one client of it, which has a session. */
async function openSession(sockets: HeldSockets, query = "vsn=2.0.0") {
  endpoints = await openEndpoints({ "/socket": sockets });
  const { port } = endpoints;
  let requests = 0;
  endpoints.app.server.on("request", () => {
    requests += 1;
  });
  const base = `http://127.0.0.1:${port}/socket/longpoll`;
  async function call(parameters: string, options?: RequestInit): Promise<Answer> {
    const answer = await fetch(`${base}?${parameters}`, options);
    return (await answer.json()) as Answer;
  }
  const { status, token } = await call(query);
  expect(status).toBe(410);
  const post = (body: string | Buffer, contentType = "application/x-ndjson", session = token) =>
    fetch(`${base}?vsn=2.0.0&token=${session}`, {
      method: "POST",
      headers: { "content-type": contentType },
      body: new Uint8Array(Buffer.from(body)),
    });
  const poll = (session = token) => call(`vsn=2.0.0&token=${session}`);
  /** Resolves when so many more requests are here as the function sends. */
  async function arrive<Sent>(count: number, send: () => Sent): Promise<{ sent: Sent }> {
    const before = requests;
    const sent = send();
    await until(() => requests === before + count);
    return { sent };
  }
  return { base, port, token, call, post, poll, arrive };
}

describe("a first poll", () => {
  test("takes a secret of 256 bits", async () => {
    const sockets = holdSockets();
    const { base, token } = await openSession(sockets, "vsn=2.0.0&");
    expect(token).toMatch(/^lp\.[\w-]{43}$/);
    expect(sockets.held).toHaveLength(1);
    const answer = await fetch(`${base}?vsn=2.0.0`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    });
    expect(await answer.json()).toMatchObject({ status: 410, messages: [] });
  });

  test("that is refused says so in its body", async () => {
    const sockets = holdSockets();
    const { base } = await openSession(sockets);
    for (const query of ["vsn=9.0.0", "vsn=2.0.0&token=bad"]) {
      const answer = await fetch(`${base}?${query}`);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 403 }]);
    }
    expect(sockets.held).toHaveLength(1);
  });

  test("gives the token of its header on, and never one of a session", async () => {
    const sockets = holdSockets();
    const { base, token } = await openSession(sockets);
    endpoints?.app.server.closeIdleConnections();
    sockets.first().transport.close(CLOSE.disconnected);
    const headers = { "x-phoenix-authtoken": "jwt" };
    await fetch(`${base}?vsn=2.0.0&token=own&token=${token}`, { headers });
    const last = sockets.handshakes.at(-1);
    expect([last?.authToken, last?.query.getAll("token")]).toEqual(["jwt", ["own"]]);
  });

  test("to a server that fails or is about to stop has no body that the client would take for the protocol's", async () => {
    const broken = holdSockets({ admit: () => Promise.reject(new Error("no database")) });
    const stopping = holdSockets();
    stopping.drain();
    endpoints = await openEndpoints({ "/broken": broken, "/stopping": stopping });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${endpoints?.port}${path}/longpoll?vsn=2.0.0`);
      return [answer.status, await answer.text()];
    };
    expect(await ask("/broken")).toEqual([500, ""]);
    expect(await ask("/stopping")).toEqual([503, ""]);
  });

  test("counts as a handshake", async () => {
    const sockets = holdSockets({ rules: { handshakesPerMinute: 1 } });
    const { base } = await openSession(sockets);
    const answer = await fetch(`${base}?vsn=2.0.0`);
    expect([answer.status, await answer.text()]).toEqual([429, ""]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(sockets.handshakes).toHaveLength(1);
  });
});

describe("a poll", () => {
  test("takes at once what is queued, shared messages too, and skips bytes", async () => {
    const sockets = holdSockets();
    const { poll, token } = await openSession(sockets);
    const { transport } = sockets.first();
    transport.send("[1]");
    transport.send(Buffer.from([1]));
    transport.sendShared(createSharedMessage({ topic: "t", event: "e", payload: {} }));
    expect(await poll()).toEqual({ status: 200, token, messages: ["[1]", '[null,null,"t","e",{}]'] });
  });

  test("waits for messages, and gets those of one turn together", async () => {
    const sockets = holdSockets();
    const { poll, arrive } = await openSession(sockets);
    const { sent: answer } = await arrive(1, poll);
    sockets.first().transport.send("[1]");
    sockets.first().transport.send("[2]");
    expect((await answer).messages).toEqual(["[1]", "[2]"]);
  });

  test("is answered with nothing after the window", async () => {
    const { poll, token } = await openSession(holdSockets({ rules: { longPollWindowMs: 100 } }));
    expect(await poll()).toEqual({ status: 204, token, messages: [] });
  });

  test("may name its session in a header", async () => {
    const sockets = holdSockets();
    const { base, token } = await openSession(sockets);
    sockets.first().transport.send("[1]");
    const answer = await fetch(`${base}?vsn=2.0.0`, { headers: { "x-phoenix-longpoll-token": token } });
    expect(await answer.json()).toMatchObject({ status: 200, messages: ["[1]"] });
  });

  test("whose client hung up loses no message", async () => {
    const sockets = holdSockets();
    const { poll, port, token, arrive } = await openSession(sockets);
    const request = toRequestText(`/socket/longpoll?vsn=2.0.0&token=${token}`, {});
    const lost = await (await arrive(1, () => openRaw(port, request))).sent;
    lost.socket.resetAndDestroy();
    await pause(50);
    sockets.first().transport.send("[1]");
    await pause(20);
    expect((await poll()).messages).toEqual(["[1]"]);
  });

  test("whose client hung up in the middle of its answer loses no message", async () => {
    const sockets = holdSockets({ rules: { maxBufferedBytes: 100_000_000 } });
    const { poll, port, token } = await openSession(sockets);
    const long = "x".repeat(30_000_000); // more than the buffers of both ends take
    sockets.first().transport.send(long);
    const lost = await openRaw(port, toRequestText(`/socket/longpoll?vsn=2.0.0&token=${token}`, {}));
    lost.socket.pause();
    await pause(200);
    sockets.first().transport.send("[2]");
    lost.socket.resetAndDestroy();
    await pause(100);
    const { messages } = await poll();
    expect([messages.length, messages[0] === long, messages[1]]).toEqual([2, true, "[2]"]);
  });

  test("whose answer is left unread is cut off by the next one, which gets its messages", async () => {
    const sockets = holdSockets({ rules: { maxBufferedBytes: 100_000_000 } });
    const { poll, port, token } = await openSession(sockets);
    const long = "x".repeat(30_000_000); // more than the buffers of both ends take
    sockets.first().transport.send(long);
    const unread = await openRaw(port, toRequestText(`/socket/longpoll?vsn=2.0.0&token=${token}`, {}));
    unread.socket.pause();
    await pause(200);
    sockets.first().transport.send("[2]");
    const { messages } = await poll();
    expect([messages.length, messages[0] === long, messages[1]]).toEqual([2, true, "[2]"]);
    unread.socket.resume();
    await until(() => unread.isClosed);
    expect(unread.text.length).toBeLessThan(30_000_000);
  });

  test("gives way to a newer one", async () => {
    const sockets = holdSockets();
    const { poll, arrive } = await openSession(sockets);
    const { sent: older } = await arrive(1, poll);
    const newer = poll();
    expect((await older).status).toBe(204);
    sockets.first().transport.send("[1]");
    expect((await newer).messages).toEqual(["[1]"]);
  });
});

describe("a post", () => {
  test("hands its lines on in order: JSON, and bytes in base64", async () => {
    const sockets = holdSockets();
    const { post } = await openSession(sockets);
    const answer = await post(`["ş"]\nAAEC\n[3]\n`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 200 }]);
    expect(sockets.first().received).toEqual(['["ş"]', Buffer.from([0, 1, 2]), "[3]"]);
  });

  test("of another type is one message", async () => {
    const sockets = holdSockets();
    const { post } = await openSession(sockets);
    for (const contentType of ["application/json", "text/plain", "application/octet-stream"])
      expect(await (await post(`{"a":\n1}`, contentType)).json()).toEqual({ status: 200 });
    expect(sockets.first().received).toEqual(Array(3).fill(`{"a":\n1}`));
  });

  test("leaves out what follows a hundred lines", async () => {
    const sockets = holdSockets();
    const { post } = await openSession(sockets);
    const lines = Array.from({ length: 130 }, (_, index) => `[${index}]`);
    expect(await (await post(lines.join("\n"))).json()).toEqual({ status: 200 });
    expect(sockets.first().received).toEqual(lines.slice(0, 100));
  });

  test("without the token of a session is answered 410", async () => {
    const { post } = await openSession(holdSockets());
    for (const token of ["", "garbage"])
      expect(await (await post("[]", undefined, token)).json()).toEqual({ status: 410 });
  });

  test("that breaks its session is answered 408 at once, and the next poll 410", async () => {
    const onReceive: NonNullable<Parameters<typeof holdSockets>[0]>["onReceive"] = ({ transport }) =>
      transport.close(CLOSE.internal);
    const sockets = holdSockets({ onReceive });
    const { post, poll, token } = await openSession(sockets);
    expect(await (await post("[oops\n[2]")).json()).toEqual({ status: 408 });
    expect(sockets.first().received).toEqual(["[oops"]);
    expect(await (await post("[]")).json()).toEqual({ status: 410 });
    const next = await poll();
    expect(next.status).toBe(410);
    expect(next.token).not.toBe(token);
  });

  test("with a line above the limit ends the session", async () => {
    const sockets = holdSockets({ rules: { maxFrameBytes: 20 } });
    const { post } = await openSession(sockets);
    expect(await (await post(`[1]\n["${"x".repeat(20)}"]`)).json()).toEqual({ status: 408 });
    expect(sockets.first()).toMatchObject({ received: ["[1]"], endCount: 1 });
  });

  for (const [name, body] of [
    ["neither JSON nor base64", Buffer.from("[1]\n{oops")],
    ["not text", Buffer.from([0x5b, 0xc3, 0x28])],
  ] as const)
    test(`that is ${name} is refused as a whole, and ends the session`, async () => {
      const sockets = holdSockets();
      const { post } = await openSession(sockets);
      const answer = await post(body);
      expect([answer.status, await answer.json()]).toEqual([400, { status: 400 }]);
      expect(sockets.first()).toMatchObject({ received: [], endCount: 1 });
      expect(await (await post("[2]")).json()).toEqual({ status: 410 });
    });

  test("may have eleven of the longest lines", async () => {
    const sockets = holdSockets();
    const { post } = await openSession(sockets);
    const { maxFrameBytes } = sockets.rules;
    const bytes = Buffer.alloc(maxFrameBytes);
    const answer = await post(`${bytes.toString("base64")}\r\n`.repeat(11));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 200 }]);
    const { received } = sockets.first();
    expect(received).toHaveLength(11);
    expect(received.every((one) => Buffer.isBuffer(one) && one.equals(bytes))).toBe(true);
  });

  test("without a session is refused before its body is read", async () => {
    const { port } = await openSession(holdSockets());
    const headers = { "content-type": "application/x-ndjson", "content-length": "1000" };
    const client = await openRaw(port, toRequestText("/socket/longpoll?token=garbage", headers, "POST"));
    await until(() => client.text.endsWith('{"status":410}'));
    client.socket.destroy();
  });

  test("with too large a body is refused before it is read", async () => {
    const sockets = holdSockets();
    const { post } = await openSession(sockets);
    expect((await post("[1]\n".repeat(250_001))).status).toBe(413);
    expect(sockets.first().received).toEqual([]);
  });
});

describe("a session", () => {
  test("ends one and a half windows after its last poll", async () => {
    const sockets = holdSockets({ rules: { longPollWindowMs: 100 } });
    const { poll } = await openSession(sockets);
    const begin = performance.now();
    expect((await poll()).status).toBe(204);
    await until(() => sockets.first().endCount === 1);
    // Timers may be a millisecond early.
    expect(performance.now() - begin).toBeGreaterThan(245);
    expect((await poll()).status).toBe(410);
  });

  test("that was closed gives what it holds to one more poll", async () => {
    const sockets = holdSockets();
    const { poll } = await openSession(sockets);
    sockets.first().transport.send("[1]");
    sockets.first().transport.close(CLOSE.disconnected);
    sockets.first().transport.send("[2]");
    expect(sockets.first().endCount).toBe(1);
    expect(await poll()).toMatchObject({ status: 200, messages: ["[1]"] });
    expect((await poll()).status).toBe(410);
  });

  for (const [name, count, length] of [
    ["more messages than it may keep", 1001, 1],
    ["more bytes than it may keep", 3, 600],
  ] as const)
    test(`with ${name} ends`, async () => {
      const sockets = holdSockets({ rules: { maxBufferedBytes: 1500 } });
      const { poll } = await openSession(sockets);
      for (let sent = 0; sent < count; sent += 1) sockets.first().transport.send("x".repeat(length));
      await until(() => sockets.first().endCount === 1);
      expect((await poll()).status).toBe(410);
    });

  test("answers the poll that waits when the server stops, which ends at once", async () => {
    const sockets = holdSockets({ rules: { longPollWindowMs: NEVER_MS, drainTimeoutMs: NEVER_MS } });
    const { poll, token, arrive } = await openSession(sockets);
    const { sent: waiting } = await arrive(1, poll);
    const [answer] = await orHang(Promise.all([waiting, endpoints?.app.close()]));
    expect(answer).toEqual({ status: 204, token, messages: [] });
  });
});

describe("other methods", () => {
  test("OPTIONS allows what the client asks for", async () => {
    const { base } = await openSession(holdSockets());
    const asked = "content-type, x-phoenix-authtoken";
    const answer = await fetch(base, {
      method: "OPTIONS",
      headers: { "access-control-request-headers": asked },
    });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": asked,
      "access-control-allow-methods": "get, post, options",
      "access-control-max-age": "3600",
    });
  });

  test("PUT is answered 400", async () => {
    const { base } = await openSession(holdSockets());
    const answer = await fetch(base, { method: "PUT" });
    expect([answer.status, await answer.text()]).toEqual([400, ""]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });
});
