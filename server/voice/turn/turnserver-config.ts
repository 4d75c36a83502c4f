import { DENIED_PEERS } from "./peer-ranges.ts";

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
export interface RelayAddresses {
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
