import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** Requests that still run so long after the drain are cut, so that a stop always ends. */
const CUT_AFTER_MS = 15_000;

interface DrainOptions {
  /** How long everything is still answered, while balancers find out by `/api/health/ready` that this process goes. */
  drainMs: number;
  /** In tests. */
  wait?: (ms: number) => Promise<unknown>;
}

/** Each answer is its connection's last: the next request comes by a new one, which a balancer opens to another process. */
function endKeepAlive(app: FastifyInstance): void {
  app.server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  });
}

/** Stops a server so that no request is lost: it says first that it goes, then takes no more connections, finishes what runs, and closes. */
export async function drainServer(
  app: FastifyInstance,
  { drainMs, wait = sleep }: DrainOptions,
): Promise<void> {
  if (drainMs > 0 && app.server.listening) {
    endKeepAlive(app);
    await wait(drainMs);
  }
  const cut = setTimeout(() => app.server.closeAllConnections(), CUT_AFTER_MS);
  await app.close();
  clearTimeout(cut);
}
