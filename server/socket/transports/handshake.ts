import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

/** As Fastify takes it: all proxies, none, addresses and networks, or a rule. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean);

/** As a request of Fastify has them, which an upgrade never becomes. */
export interface Peer {
  /** Of the client, behind a trusted proxy too. */
  ip: string;
  /** What the client came to, which a trusted proxy says in `X-Forwarded-Host`. */
  host: string;
}

function toRule(trustProxy: TrustProxy): (address: string, hop: number) => boolean {
  if (typeof trustProxy === "function") return trustProxy;
  if (typeof trustProxy === "boolean") return () => trustProxy;
  return proxyAddr.compile(trustProxy.split(",").map((part) => part.trim()));
}

export function createReadPeer(trustProxy: TrustProxy): (request: IncomingMessage) => Peer {
  const rule = toRule(trustProxy);
  return (request) => {
    const { headers, socket } = request;
    const isTrusted = rule(socket.remoteAddress ?? "", 0);
    // Node joins repeated headers with commas; what the nearest proxy said is last.
    const forwarded = isTrusted ? String(headers["x-forwarded-host"] ?? "") : "";
    const host = forwarded === "" ? headers.host : forwarded.split(",").at(-1)?.trim();
    return { ip: proxyAddr(request, rule) ?? "", host: host ?? "" };
  };
}
