import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Where the relay sends nothing, first and last address: otherwise whoever may talk could reach the owner's own network through it.
 * IANA's special-purpose registries, without what the relay itself may have as its address.
 */
const DENIED_PEERS: readonly (readonly [first: string, last: string])[] = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
  // Loopback and IPv4 in other forms. Not from `::` on: coturn takes a range without a lower end for one of all IPv4 addresses too.
  ["::1", "::ffff:ffff"],
  ["::ffff:0.0.0.0", "::ffff:255.255.255.255"],
  ["64:ff9b::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::", "100::ffff:ffff:ffff:ffff"],
  // Teredo, benchmarks, documentation, 6to4.
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  // Of a private network, of one link, multicast.
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

const toFamily = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
// One for each: a list reads an IPv4 address as its mapped form too, all of which are denied.
const denied = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [first, last] of DENIED_PEERS) denied[toFamily(first)].addRange(first, last, toFamily(first));

/** Whether the relay would refuse this peer. */
export function isDeniedPeer(address: string): boolean {
  const family = toFamily(address);
  return denied[family].check(address, family);
}

/** What coturn's configuration is made of. */
export interface TurnserverSettings {
  port: number;
  minPort: number;
  maxPort: number;
  secret: string;
  addresses: RelayAddresses;
  pidFile: string;
  /** Names of the user and group that root's turnserver becomes. */
  runAs: { user: string; group: string } | undefined;
}

/** Which addresses the relay uses, and which of the denied ones it may send to all the same. */
interface RelayAddresses {
  /** Undefined: all of the machine. */
  listening: string | undefined;
  /** Undefined: the one that the browser came to. */
  relay: string | undefined;
  /** `public/private`. */
  external: string | undefined;
  /** Two browsers that both use the relay send to each other's relayed address, which is the relay's own. */
  allowedPeers: readonly string[];
  mayUseLoopback: boolean;
}

/** Eight people, each to seven others by UDP and by TCP, and as many again while connections are renewed. */
const ALLOCATIONS_PER_PERSON = 64;
const NONCE_LIFETIME_S = 600;
const REALM = "foyer";

const line = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name}=${value}`]);

/** turnserver.conf. It holds the secret. */
export function buildTurnserverConfig(settings: TurnserverSettings): string {
  const { addresses, runAs } = settings;
  return `${[
    `listening-port=${settings.port}`,
    ...line("listening-ip", addresses.listening),
    ...line("relay-ip", addresses.relay),
    ...line("external-ip", addresses.external),
    `min-port=${settings.minPort}`,
    `max-port=${settings.maxPort}`,
    `realm=${REALM}`,
    "use-auth-secret",
    `static-auth-secret=${settings.secret}`,
    "fingerprint",
    `stale-nonce=${NONCE_LIFETIME_S}`,
    `user-quota=${ALLOCATIONS_PER_PERSON}`,
    `total-quota=${settings.maxPort - settings.minPort + 1}`,
    "no-cli",
    "no-tls",
    "no-dtls",
    "no-tcp-relay",
    "no-multicast-peers",
    // What answers are longer than questions for is used to flood others.
    "no-rfc5780",
    "no-stun-backward-compatibility",
    "response-origin-only-with-rfc5780",
    "no-software-attribute",
    // That of the machine's own coturn has other users. Without one that it can open, coturn knows no credentials at all.
    "userdb=:memory:",
    "no-dynamic-ip-list",
    "no-dynamic-realms",
    ...DENIED_PEERS.map(([first, last]) => `denied-peer-ip=${first}-${last}`),
    ...addresses.allowedPeers.map((address) => `allowed-peer-ip=${address}`),
    ...(addresses.mayUseLoopback ? ["allow-loopback-peers"] : []),
    "log-file=stdout",
    "simple-log",
    `pidfile=${settings.pidFile}`,
    ...line("proc-user", runAs?.user),
    ...line("proc-group", runAs?.group),
  ].join("\n")}\n`;
}

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
