import type { FastifyInstance } from "fastify";
import { createHandshakeLimit } from "./handshake-limit.ts";
import { registerLongPollRoutes } from "./longpoll-routes.ts";
import type { Sockets } from "./sockets.ts";
import { createReadPeer, type TrustProxy } from "./transports/handshake.ts";
import { addUpgradePath, WEBSOCKET_SUFFIX } from "./transports/register-sockets.ts";
import { createWebSocketDoor } from "./transports/websocket-endpoint.ts";
import { getUpgradeFault } from "./upgrade-refusal.ts";

interface SocketDoors {
  /** `/socket` stands for `/socket/websocket` and `/socket/longpoll`. */
  path: string;
  sockets: Sockets;
  /** The app's own. */
  trustProxy: TrustProxy;
}

/**
 * Opens both doors at a path of a server whose `shouldUpgradeCallback` is `shouldUpgrade`. When the server closes, everybody
 * is told first, and who has not gone by `drainTimeoutMs` is cut.
 */
export async function registerSockets(app: FastifyInstance, doors: SocketDoors): Promise<void> {
  const { path, sockets, trustProxy } = doors;
  const takeHandshake = createHandshakeLimit(sockets.rules.handshakesPerMinute);
  const readPeer = createReadPeer(trustProxy);
  const door = createWebSocketDoor({ sockets, takeHandshake, readPeer, log: app.log });
  addUpgradePath(app.server, `${path}${WEBSOCKET_SUFFIX}`, door.upgrade);
  app.addHook("preClose", async () => {
    sockets.drain();
    await door.waitUntilEmpty(sockets.rules.drainTimeoutMs);
  });
  await app.register(async (scope) => {
    registerLongPollRoutes(scope, { path: `${path}/longpoll`, sockets, takeHandshake });
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
