import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { orHang, until } from "#test/until.ts";
import { getRequestId } from "./base/actor.ts";
import type { TrustProxy } from "./base/proxies.ts";
import { createServer, cutConnectionsOnClose } from "./create-server.ts";

/** The timeouts of HTTP, which end such connections at last, are off: a stop that waits for one never ends. */
const WITHOUT_TIMEOUTS = {
  keepAliveTimeout: 0,
  requestTimeout: 0,
  http: { headersTimeout: 0 },
} as const;
const toWhole = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const HALF = "GET /now HTTP/1.1\r\nHo";

let app: FastifyInstance | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
  app = undefined;
});

async function listen() {
  const opened = fastify({ ...WITHOUT_TIMEOUTS, forceCloseConnections: "idle" });
  app = opened;
  let begin: () => void = () => {};
  let finish: () => void = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  opened.get("/now", () => "answered");
  opened.get("/later", async () => {
    begin();
    await finished;
    return "answered later";
  });
  cutConnectionsOnClose(opened);
  const origin = await opened.listen({ host: "127.0.0.1", port: 0 });
  return { app: opened, port: Number(new URL(origin).port), begun, finish };
}

/** Sends each part once the one before was answered. */
async function open({ server }: FastifyInstance, port: number, parts: readonly string[]) {
  const accepted = once(server, "connection");
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.setEncoding("utf8").on("error", () => {});
  socket.on("data", (data) => {
    text += data;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await accepted;
  for (const [index, part] of parts.entries()) {
    socket.write(part);
    if (index < parts.length - 1) await once(socket, "data");
  }
  return {
    read: async () => {
      await closed;
      return text;
    },
  };
}

describe("a stop", () => {
  for (const [name, parts] of [
    ["has said nothing", []],
    ["has sent half a request", [HALF]],
    ["has sent half of its second request", [toWhole("/now"), HALF]],
    ["waits for its next request", [toWhole("/now"), ""]],
  ] as const)
    test(`doesn't wait for a connection that ${name}`, async () => {
      const { app, port } = await listen();
      const client = await open(app, port, parts);
      // Sent behind the half request, so that the server has read that.
      await fetch(`http://127.0.0.1:${port}/now`);
      await orHang(app.close());
      await orHang(client.read());
    });

  for (const [name, parts] of [
    ["", []],
    [" behind one that was sent before its answer", [toWhole("/now")]],
  ] as const)
    test(`waits for a request under way${name}, and no longer`, async () => {
      const { app, port, begun, finish } = await listen();
      const client = await open(app, port, [[...parts, toWhole("/later")].join("")]);
      await begun;
      let isStopped = false;
      const stopped = app.close().then(() => {
        isStopped = true;
      });
      await until(() => !app.server.listening);
      expect(isStopped).toBe(false);
      finish();
      expect(await orHang(client.read())).toMatch(/answered later$/);
      await orHang(stopped);
    });
});

describe("the log of requests", () => {
  async function open(level: string, isOn: boolean) {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level, base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const opened = await createServer({
      config: { trustProxy: (_address, hop) => hop < 1, logRequests: isOn },
      version: "1",
      schemas: {},
      log,
    });
    app = opened;
    opened.get("/now", () => "answered");
    const origin = await opened.listen({ host: "127.0.0.1", port: 0 });
    lines.length = 0;
    return { origin, lines };
  }

  test("is a line for each when it is asked for, without the query", async () => {
    const { origin, lines } = await open("info", true);
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const answer = await fetch(`${origin}/now?token=secret`, { headers });
    await answer.text();
    await until(() => lines.length === 1);
    expect(lines[0]).toMatchObject({
      level: 30,
      method: "GET",
      path: "/now",
      status: 200,
      ms: expect.any(Number),
      address: "203.0.113.7",
      reqId: answer.headers.get("x-request-id"),
      msg: "request",
    });
    expect(lines[0]?.bytes).toBeGreaterThan("answered".length);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  test("knows the number of the request wherever its work is done, behind a body too", async () => {
    const opened = await createServer({
      ...{ config: { trustProxy: false }, version: "1", schemas: {} },
      log: pino({ level: "silent" }),
    });
    app = opened;
    const read = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { id: getRequestId() };
    };
    opened.get("/number", read);
    opened.post("/number", read);
    const taken = Promise.withResolvers<void>();
    opened.addHook("onRequest", async ({ method }) => method === "POST" && taken.resolve());
    /** Its end comes when the request is under way. */
    async function* writeBody() {
      yield Buffer.from('{"text":');
      await taken.promise;
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.from('"x"}');
    }
    const origin = await opened.listen({ host: "127.0.0.1", port: 0 });
    const headers = { "content-type": "application/json" };
    const post = { method: "POST", headers, body: writeBody(), duplex: "half" } as unknown as RequestInit; // what Node takes beside
    for (const init of [{}, post]) {
      const answer = await fetch(`${origin}/number`, init);
      expect(await answer.json()).toEqual({ id: answer.headers.get("x-request-id") });
    }
  });

  test("is silent otherwise, but for who debugs", async () => {
    const { origin, lines } = await open("info", false);
    await (await fetch(`${origin}/now`)).text();
    await app?.close();
    expect(lines.filter(({ msg }) => msg === "request")).toEqual([]);
  });
});

describe("the number of a request", () => {
  async function ask(trustProxy: TrustProxy, given?: string) {
    const opened = await createServer({
      config: { trustProxy },
      version: "1",
      schemas: {},
      log: pino({ level: "silent" }),
    });
    app = opened;
    opened.get("/now", (request) => request.id);
    const answer = await opened.inject({
      url: "/now",
      headers: { ...(given !== undefined && { "x-request-id": given }) },
    });
    expect(answer.headers["x-request-id"]).toBe(answer.body);
    return answer.body;
  }
  const OWN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
  const GIVEN = "edge-01.7f3a_22";

  test("is the one that a trusted proxy gave it", async () => {
    expect(await ask("loopback", GIVEN)).toBe(GIVEN);
    expect(await ask((_address, hop) => hop < 1, GIVEN)).toBe(GIVEN);
  });

  test.each([
    ["nobody is trusted", false, GIVEN],
    ["another proxy is trusted", "10.0.0.0/8", GIVEN],
    ["none was given", "loopback", undefined],
    ["it is short", "loopback", "abc"],
    ["it is long", "loopback", "a".repeat(65)],
    ["it has signs that logs give a meaning", "loopback", 'abcdefgh","level":60'],
    ["it begins like an option", "loopback", "--abcdefgh"],
  ])("is a new one where %s", async (_, trustProxy, given) => {
    expect(await ask(trustProxy, given)).toMatch(OWN);
  });
});
