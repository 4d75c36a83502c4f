import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 100;

/** Why a relay can't listen on a port: `EADDRINUSE`, `EACCES` …; undefined where it can. Waits for one that is about to be free. */
export async function findPortFault(
  port: number,
  address: string | undefined,
  waitMs: number,
): Promise<string | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    const fault = (await tryUdp(port, address)) ?? (await tryTcp(port, address));
    if (fault !== "EADDRINUSE" || performance.now() > until) return fault;
    await sleep(LOOK_EVERY_MS);
  }
}

const getCode = (error: NodeJS.ErrnoException) => error.code ?? error.message;

function tryUdp(port: number, address: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(address?.includes(":") ? "udp6" : "udp4");
    socket.once("error", (error) => {
      socket.close();
      resolve(getCode(error));
    });
    socket.bind({ port, exclusive: true, ...(address && { address }) }, () =>
      socket.close(() => resolve(undefined)),
    );
  });
}

function tryTcp(port: number, address: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(getCode(error)));
    server.listen({ port, exclusive: true, host: address ?? "0.0.0.0" }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}
