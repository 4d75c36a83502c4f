import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { orHang, until } from "#test/until.ts";
import { cutConnectionsOnClose } from "./create-server.ts";

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
