import proxyAddr from "@fastify/proxy-addr";

/** `TRUST_PROXY`, as Fastify takes it: all proxies, none, addresses and networks, or a rule. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean);

/** Whether an address is believed; `hop` 0 is the connection's own, 1 the last one of `X-Forwarded-For`. */
export type TrustRule = (address: string, hop: number) => boolean;

/** @throws TypeError for an address that is none; settings are checked for that before. */
export function toTrustRule(trustProxy: TrustProxy): TrustRule {
  if (typeof trustProxy === "function") return trustProxy;
  if (typeof trustProxy === "boolean") return () => trustProxy;
  return proxyAddr.compile(trustProxy.split(",").map((part) => part.trim()));
}

export const isLoopback: (address: string) => boolean = toRangeRule(["loopback"]);

/** Of this machine, or of a network that is not the Internet; 100.64.0.0/10 is between a provider and its customers. */
export const isPrivate: (address: string) => boolean = toRangeRule([
  "loopback",
  "linklocal",
  "uniquelocal",
  "100.64.0.0/10",
]);

function toRangeRule(ranges: string[]): (address: string) => boolean {
  const rule = proxyAddr.compile(ranges);
  return (address) => rule(address, 0);
}
