import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isDeniedPeer } from "./peer-ranges.ts";
import type { RelayAddresses } from "./turnserver-config.ts";

const LOOPBACK = /^(127\.|::1$)/;

/** 127.0.0.1 for `localhost`, which some browsers read as ::1. */
export function toRelayHost(host: string): string {
  return host.toLowerCase() === "localhost" ? "127.0.0.1" : host;
}

/**
 * A relay at a loopback address is for the browsers of this machine: it listens there alone, so that it may send there too. Any other
 * one may send to itself and to nothing else that is private.
 */
export async function chooseRelayAddresses(
  host: string,
  externalIp: string | undefined,
): Promise<RelayAddresses> {
  const none = { listening: undefined, relay: undefined, external: undefined, mayUseLoopback: false };
  if (isIP(host) && LOOPBACK.test(host))
    return { ...none, listening: host, relay: host, allowedPeers: [host], mayUseLoopback: true };
  if (externalIp === undefined) return { ...none, allowedPeers: await listOwnPrivate(host) };
  const [outside = externalIp, inside = await findOutgoingAddress()] = externalIp.split("/");
  const allowedPeers = isDeniedPeer(outside) ? [outside] : [];
  return { ...none, relay: inside, external: `${outside}/${inside}`, allowedPeers };
}

/** In a network at home the relay's address is itself private. */
async function listOwnPrivate(host: string): Promise<string[]> {
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  );
  // Without a name server it is found out by the check of the health page that nobody reaches the relay.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => own.has(address) && isDeniedPeer(address));
}

/** The machine's address on its way to the internet; connecting a UDP socket asks the routing table and sends nothing. */
function findOutgoingAddress(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4");
    socket.once("error", reject);
    socket.connect(53, "198.51.100.1", () => {
      const { address } = socket.address();
      socket.close();
      // Unset where there is no way.
      if (isIP(address) && address !== "0.0.0.0") resolve(address);
      else reject(new Error("this machine has no way to the internet"));
    });
  });
}
