import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../config.ts";

/** Fails where somebody has the port: with `reusePort` another site's processes would take part of this one's visitors. @throws what Node's `listen` does */
async function requireFree(port: number, host: string): Promise<void> {
  const server = createServer();
  server.listen({ port, host });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

/**
 * Listens, of several processes each on the same port: the system gives each new connection to one of them.
 * @returns the address
 */
export async function listenTogether(
  app: { listen(options: { port: number; host: string; reusePort?: boolean }): Promise<string> },
  { port, host, launched }: Pick<Config, "port" | "host" | "launched">,
): Promise<string> {
  if (!launched) return app.listen({ port, host });
  if (!launched.isJoining && port > 0) await requireFree(port, host);
  return app.listen({ port, host, reusePort: true });
}

/** Of an address as Fastify gives it. */
export function toPort(address: string): number {
  const { port, protocol } = new URL(address);
  return port ? Number(port) : protocol === "https:" ? 443 : 80;
}
