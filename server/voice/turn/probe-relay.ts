import { createHmac } from "node:crypto";
import { type IceUrl, parseIceUrl, toUrlHost } from "./ice-url.ts";
import { isDeniedPeer } from "./peer-ranges.ts";
import { allocate, askBinding } from "./stun-client.ts";
import { openStunLink, StunError } from "./stun-link.ts";

/** What voice rooms reach each other by, as far as it can be tried from here. */
export type RelayState =
  | { kind: "none" }
  /** Addresses are found out, but nothing is relayed. */
  | { kind: "stun_only" }
  | { kind: "works"; ports: RelayPorts | undefined }
  /** A server doesn't answer. */
  | { kind: "silent"; address: string; ports: RelayPorts | undefined }
  /** A relay answers and gives nothing: the secret is another, or it is full. */
  | { kind: "refuses"; address: string; code: number }
  /** A relay gives an address that nobody outside reaches. */
  | { kind: "private"; address: string; relayed: string }
  /** Foyer's own relay doesn't run. */
  | { kind: "stopped"; fault: string };

/** Of Foyer's own relay; those of others aren't known. */
export interface RelayPorts {
  port: number;
  minPort: number;
  maxPort: number;
}

export interface RelayProbeParts {
  urls: readonly string[];
  turnSecret: string | undefined;
  /** A relay of Foyer's own, whose addresses are tried first. */
  local:
    | (RelayPorts & { urls: readonly string[]; secret: string; getFault: () => string | undefined })
    | undefined;
  now: () => Date;
  log: { warn(details: object, message: string): void };
}

/** Less than the health page waits for a check. */
const PROBE_LIMIT_MS = 2_500;
/** A check takes a port of the relay for a moment. */
const KEPT_MS = 60_000;
const CREDENTIAL_S = 60;
/** Nobody's number. */
const PROBER = 0;

interface Server {
  url: IceUrl;
  secret: string | undefined;
  ports: RelayPorts | undefined;
}

const toAddress = ({ host, port, transport }: IceUrl) =>
  `${toUrlHost(host)}:${port} (${transport.toUpperCase()})`;

/** Asks a server for our address, and a relay for one of its own, which it gets back. Undefined: it works. */
async function findFault(server: Server, now: Date): Promise<RelayState | undefined> {
  const { url, secret, ports } = server;
  const address = toAddress(url);
  try {
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
    const link = await openStunLink(url, signal);
    try {
      await askBinding(link);
      if (url.scheme === "stun" || secret === undefined) return undefined;
      const username = `${Math.floor(now.getTime() / 1000) + CREDENTIAL_S}:${PROBER}`;
      const credential = createHmac("sha1", secret).update(username).digest("base64");
      const allocation = await allocate(link, { username, credential });
      await allocation.release();
      const relayed = allocation.relayed.address;
      const isPrivate = isDeniedPeer(relayed) && !isDeniedPeer(link.server);
      return isPrivate ? { kind: "private", address, relayed } : undefined;
    } finally {
      link.close();
    }
  } catch (error) {
    const code = error instanceof StunError ? error.code : undefined;
    return code === undefined ? { kind: "silent", address, ports } : { kind: "refuses", address, code };
  }
}

/** Tries every configured server, at most once a minute; calls at one time share the answer. */
export function createRelayProbe(parts: RelayProbeParts): () => Promise<RelayState> {
  const { local, now, log } = parts;
  const toServers = (urls: readonly string[], secret: string | undefined, ports?: RelayPorts): Server[] =>
    urls.flatMap((text) => {
      const url = parseIceUrl(text);
      return url ? [{ url, secret, ports }] : [];
    });
  const ports = local && { port: local.port, minPort: local.minPort, maxPort: local.maxPort };
  const servers = [
    ...(local ? toServers(local.urls, local.secret, ports) : []),
    ...toServers(parts.urls, parts.turnSecret),
  ];

  async function probe(): Promise<RelayState> {
    if (servers.length === 0) return { kind: "none" };
    const fault = local?.getFault();
    if (fault !== undefined) return { kind: "stopped", fault };
    const faults = await Promise.all(servers.map((server) => findFault(server, now())));
    const worst = faults.find((state) => state !== undefined);
    if (worst) {
      log.warn({ relay: worst }, "a server for voice rooms is of no use");
      return worst;
    }
    const hasRelay = servers.some(({ url }) => url.scheme !== "stun");
    return hasRelay ? { kind: "works", ports } : { kind: "stun_only" };
  }

  let kept: { at: number; isStopped: boolean; state: Promise<RelayState> } | undefined;
  return () => {
    const at = now().getTime();
    // A relay that has just died, or come back, is told of at once.
    const isStopped = local?.getFault() !== undefined;
    if (!kept || at - kept.at >= KEPT_MS || isStopped !== kept.isStopped)
      kept = { at, isStopped, state: probe() };
    return kept.state;
  };
}
