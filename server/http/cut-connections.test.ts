import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { cutConnectionsOnClose } from "./cut-connections.ts";

/** Far less than the timeouts of HTTP, which end such connections at last, and enough for a busy machine. */
const AT_ONCE_MS = 4000;
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
  const opened = fastify({ forceCloseConnections: "idle" });
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

async function stop(server: FastifyInstance): Promise<number> {
  const start = performance.now();
  await server.close();
  return performance.now() - start;
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
      expect(await stop(app)).toBeLessThan(AT_ONCE_MS);
      await client.read();
    });

  for (const [name, parts] of [
    ["", []],
    [" behind one that was sent before its answer", [toWhole("/now")]],
  ] as const)
    test(`waits for a request under way${name}, and no longer`, async () => {
      const { app, port, begun, finish } = await listen();
      const client = await open(app, port, [[...parts, toWhole("/later")].join("")]);
      await begun;
      const stopped = stop(app);
      setTimeout(finish, 100);
      expect(await client.read()).toMatch(/answered later$/);
      expect(await stopped).toBeLessThan(AT_ONCE_MS);
    });
});
