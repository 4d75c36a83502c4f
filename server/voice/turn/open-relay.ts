import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Finding } from "../../health/service.ts";
import { type IceUrl, parseIceUrl, toUrlHost } from "../ice.ts";
import { joinLocalTurn, type LocalTurn, openLocalTurn } from "./local-turn.ts";
import { askBinding } from "./stun-client.ts";
import { openStunLink, StunError } from "./stun-link.ts";
import { isDeniedPeer } from "./turnserver-config.ts";
import { tryRelay } from "./turnserver-process.ts";

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

export interface RelayProbeDeps {
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
const CACHED_MS = 60_000;

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
      const { address: relayed } = await tryRelay(link, secret, now);
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
export function createRelayProbe(deps: RelayProbeDeps): () => Promise<RelayState> {
  const { local, now, log } = deps;
  const toServers = (urls: readonly string[], secret: string | undefined, ports?: RelayPorts): Server[] =>
    urls.flatMap((text) => {
      const url = parseIceUrl(text);
      return url ? [{ url, secret, ports }] : [];
    });
  const ports = local && { port: local.port, minPort: local.minPort, maxPort: local.maxPort };
  const servers = [
    ...(local ? toServers(local.urls, local.secret, ports) : []),
    ...toServers(deps.urls, deps.turnSecret),
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

  let cached: { at: number; isStopped: boolean; state: Promise<RelayState> } | undefined;
  return () => {
    const at = now().getTime();
    // A relay that has just died, or come back, is reported at once.
    const isStopped = local?.getFault() !== undefined;
    if (!cached || at - cached.at >= CACHED_MS || isStopped !== cached.isStopped)
      cached = { at, isStopped, state: probe() };
    return cached.state;
  };
}

/** What the health page says of it: healthy where browsers of a voice room can reach each other, also where routers let only a relay through. */
export function toRelayFinding(state: RelayState): Finding {
  switch (state.kind) {
    case "works":
      // From this machine the firewall can't be seen.
      return state.ports
        ? { status: "healthy", reason: "relay_local", vars: { ...state.ports } }
        : { status: "healthy" };
    case "none":
      return { status: "warning", reason: "relay_none" };
    case "stun_only":
      return { status: "warning", reason: "relay_stun_only" };
    case "silent": {
      const { address, ports } = state;
      return ports
        ? { status: "critical", reason: "relay_silent_local", vars: { address, ...ports } }
        : { status: "critical", reason: "relay_silent", vars: { address } };
    }
    case "refuses":
      return {
        status: "critical",
        reason: toRefusalText(state.code),
        vars: { address: state.address, code: state.code },
      };
    case "private":
      return {
        status: "critical",
        reason: "relay_private",
        vars: { address: state.address, relayed: state.relayed },
      };
    case "stopped":
      return { status: "critical", reason: "relay_stopped", vars: { fault: state.fault } };
  }
}

/** RFC 8656: 486 this person has enough, 508 the relay has no more. */
function toRefusalText(code: number): "relay_wrong_secret" | "relay_full" | "relay_refuses" {
  if (code === 401) return "relay_wrong_secret";
  return code === 486 || code === 508 ? "relay_full" : "relay_refuses";
}

/** What voice rooms reach each other by. */
export interface Relay {
  /** One list of addresses and the secret of those that relay. */
  settings: { urls: readonly string[]; turnSecret: string | undefined };
  /** For the health page. */
  check: () => Promise<Finding>;
  close(): Promise<void>;
}

type RelayConfig = Pick<Config, "dataDir" | "iceUrls" | "turnSecret" | "localTurn"> &
  Partial<Pick<Config, "launched">>;

/** Of the processes that a launcher started the first runs it. Others come to an understanding by its port. */
async function openOwnRelay(
  { dataDir, turnSecret: secret, localTurn, launched }: RelayConfig,
  deps: { log: Logger; now: () => Date },
): Promise<LocalTurn | undefined> {
  if (!localTurn) return undefined;
  if (secret !== undefined && launched && launched.number > 1) return joinLocalTurn(localTurn, secret);
  return openLocalTurn({ ...localTurn, dataDir, secret, ...deps });
}

/**
 * Opens the relay of `TURN=local`, where it is asked for, beside the servers of `ICE_URLS`.
 *
 * @throws ConfigError where it can't be started
 */
export async function openRelay({
  config,
  log,
  now,
}: {
  config: RelayConfig;
  log: Logger;
  now: () => Date;
}): Promise<Relay> {
  const { iceUrls, turnSecret, localTurn } = config;
  const turn = await openOwnRelay(config, { log, now });
  const check = createRelayProbe({
    urls: iceUrls,
    turnSecret,
    local: localTurn && turn && { ...localTurn, ...turn, getFault: () => getFault(turn) },
    now,
    log,
  });
  return {
    settings: { urls: [...(turn?.urls ?? []), ...iceUrls], turnSecret: turn?.secret ?? turnSecret },
    check: async () => toRelayFinding(await check()),
    close: async () => turn?.close(),
  };
}

function getFault(turn: LocalTurn): string | undefined {
  return turn.isRunning() ? undefined : (turn.lastFault() ?? "");
}
