import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

/** As Fastify takes it: all proxies, none, addresses and networks, or a rule. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean);

function toRule(trustProxy: Exclude<TrustProxy, false>): (address: string, hop: number) => boolean {
  if (typeof trustProxy === "function") return trustProxy;
  if (trustProxy === true) return () => true;
  return proxyAddr.compile(trustProxy.split(",").map((part) => part.trim()));
}

/** Finds the client's address as `request.ip` does; an upgrade never becomes a request of Fastify. */
export function createReadAddress(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? "";
  const rule = toRule(trustProxy);
  return (request) => proxyAddr(request, rule) ?? "";
}
