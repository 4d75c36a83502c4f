import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { TrustProxy } from "../../base/proxies.ts";
import type { ProcessLink } from "../away/homes.ts";
import type { Sockets } from "../sockets.ts";
import {
  asksForWebSocket,
  createHandshakeLimit,
  createReadAddress,
  getUpgradeFault,
  refuseUpgrade,
} from "./handshake.ts";
import { registerLongPollRoutes } from "./longpoll-routes.ts";
import { createWebSocketEndpoint } from "./websocket-endpoint.ts";

/** How every address of ours ends, so that a server can tell upgrades apart before it knows its paths. */
const WEBSOCKET_SUFFIX = "/websocket";
/** Vite's own sockets, which share the server in development, at `/`: it leaves those of any other path unanswered. */
const DEVELOPMENT_PROTOCOLS: ReadonlySet<string> = new Set(["vite-hmr", "vite-ping"]);

/** Takes over the connection: `head` is what the client sent behind its request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

const endpoints = new WeakMap<Server, Map<string, UpgradeHandler>>();

function toPath(url = ""): string {
  const [path = ""] = url.split("?", 1);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function isOfDevelopment({ headers, url = "" }: IncomingMessage): boolean {
  return /^\/(\?|$)/.test(url) && DEVELOPMENT_PROTOCOLS.has(headers["sec-websocket-protocol"] ?? "");
}

/**
 * For `http.createServer({ shouldUpgradeCallback })`: what may leave HTTP. Everything else stays an ordinary request, such as
 * a page that a client offers to take over HTTP/2 (`Upgrade: h2c`).
 */
export function shouldUpgrade(request: IncomingMessage): boolean {
  if (request.method !== "GET" || !asksForWebSocket(request.headers)) return false;
  return toPath(request.url).endsWith(WEBSOCKET_SUFFIX) || isOfDevelopment(request);
}

function listen(server: Server): Map<string, UpgradeHandler> {
  const handlers = new Map<string, UpgradeHandler>();
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const socket = stream as Socket; // an http.Server of ours has no other streams
    const handler = handlers.get(toPath(request.url));
    if (handler) handler(request, socket, head);
    // Vite listens as well, where it runs.
    else if (!isOfDevelopment(request) || server.listenerCount("upgrade") === 1) refuseUpgrade(socket, 404);
  });
  endpoints.set(server, handlers);
  return handlers;
}

/** Gives upgrades of a path, which ends in `/websocket`, to a handler. A server may have any number of them. */
function addUpgradePath(server: Server, path: string, handler: UpgradeHandler): void {
  (endpoints.get(server) ?? listen(server)).set(path, handler);
}

interface SocketEndpoints {
  /** `/socket` stands for `/socket/websocket` and `/socket/longpoll`. */
  path: string;
  sockets: Sockets;
  /** The app's own. */
  trustProxy: TrustProxy;
  /** The other processes of the site; undefined: there are none. */
  link?: ProcessLink | undefined;
}

/**
 * Opens both endpoints at a path of a server whose `shouldUpgradeCallback` is `shouldUpgrade`. When the server closes,
 * everybody is notified first, and connections that are there after `drainTimeoutMs` are cut.
 */
export async function registerSockets(app: FastifyInstance, endpoints: SocketEndpoints): Promise<void> {
  const { path, sockets, trustProxy, link } = endpoints;
  const takeHandshake = createHandshakeLimit(sockets.rules.handshakesPerMinute);
  const readAddress = createReadAddress(trustProxy);
  const endpoint = createWebSocketEndpoint({ sockets, takeHandshake, readAddress, log: app.log });
  addUpgradePath(app.server, `${path}${WEBSOCKET_SUFFIX}`, endpoint.upgrade);
  let answerHandedOn = () => {};
  app.addHook("preClose", async () => {
    sockets.drain();
    answerHandedOn();
    await endpoint.waitUntilEmpty(sockets.rules.drainTimeoutMs);
  });
  await app.register(async (scope) => {
    const longPolls = { path: `${path}/longpoll`, sockets, takeHandshake, link };
    answerHandedOn = registerLongPollRoutes(scope, longPolls);
    scope.all(`${path}${WEBSOCKET_SUFFIX}`, { schema: { hide: true } }, (request, reply) => {
      const fault = request.method === "GET" ? getUpgradeFault(request.raw) : undefined;
      return reply
        .code(400)
        .headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
        .type("text/plain; charset=utf-8")
        .send(fault ?? "");
    });
  });
}
