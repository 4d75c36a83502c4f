import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError } from "../../config.ts";
import type { LocalTurnConfig } from "../../config-values.ts";
import { toUrlHost } from "../ice.ts";
import { buildTurnserverConfig, chooseRelayAddresses, toRelayHost } from "./turnserver-config.ts";
import { chooseRunAs, findTurnserver, startTurnserver, type Turnserver } from "./turnserver-process.ts";

const LOOK_EVERY_MS = 100;

/** Why a relay can't listen on a port: `EADDRINUSE`, `EACCES` …; undefined where it can. Waits for one that is about to be free. */
async function findPortFault(
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

/** A relay that runs as long as this process. */
export interface LocalTurn {
  /** What browsers get. */
  urls: string[];
  /** Credentials are made of it. Unless given, a new one each start: a relay forgets its allocations then anyway, and nothing is left to steal. */
  secret: string;
  isRunning(): boolean;
  /** Why it doesn't run, or what ended it last; undefined where it never did. */
  lastFault(): string | undefined;
  /** Resolves when it is gone. May be called again. */
  close(): Promise<void>;
}

export interface LocalTurnOptions extends LocalTurnConfig {
  dataDir: string;
  /** TURN_SECRET, where other relays beside this one have it: browsers get one secret's credentials for all. */
  secret?: string | undefined;
  log: Pick<Logger, "debug" | "info" | "warn">;
  now: () => Date;
  /** Finds coturn's program; tests know machines without it. */
  findProgram?: () => Promise<string | undefined>;
  /** Starts it; tests hold it. */
  start?: typeof startTurnserver;
}

function toTurnUrls({ host, port }: Pick<LocalTurnConfig, "host" | "port">): string[] {
  const at = `${toUrlHost(toRelayHost(host))}:${port}`;
  return [`stun:${at}`, `turn:${at}?transport=udp`, `turn:${at}?transport=tcp`];
}

/** The relay that another process of this machine runs, with the secret that both were given. Whether it runs its port says. */
export function joinLocalTurn(options: Pick<LocalTurnConfig, "host" | "port">, secret: string): LocalTurn {
  return {
    urls: toTurnUrls(options),
    secret,
    isRunning: () => true,
    lastFault: () => undefined,
    close: async () => undefined,
  };
}

/** A relay of a process that was killed goes a moment after it. */
const PORT_WAIT_MS = 3_000;
const RETRY_FIRST_MS = 500;
const RETRY_LAST_MS = 60_000;
/** A relay that has run that long is started again at once. */
const STEADY_MS = 60_000;

/**
 * Starts coturn with a configuration of Foyer's own in `<dataDir>/turn`, and again whenever it ends by itself.
 *
 * @throws ConfigError where it isn't installed, its port is taken, or it doesn't start
 */
export async function openLocalTurn(options: LocalTurnOptions): Promise<LocalTurn> {
  const { log, now, port, start = startTurnserver } = options;
  const host = toRelayHost(options.host);
  const program = await (options.findProgram ?? findTurnserver)();
  if (!program)
    throw new ConfigError(
      "TURN=local needs coturn, and there is no turnserver. Install it (apt install coturn) or empty TURN.",
    );
  const secret = options.secret ?? randomBytes(32).toString("hex");
  const { configFile, pidFile, listening } = await writeConfig(options, host, secret);
  const closing = new AbortController();
  let running: Turnserver | undefined;
  let fault: string | undefined;

  async function launch(portWaitMs: number): Promise<Turnserver> {
    const portFault = await findPortFault(port, listening, portWaitMs);
    if (portFault) throw new Error(explainPort(port, portFault));
    const started = await start({
      program: program ?? "",
      configFile,
      address: listening ?? "127.0.0.1",
      port,
      onLine: (line) => log.debug({ line: line.replaceAll(secret, "…") }, "turnserver"),
    });
    // Closed meanwhile: `close` has not seen this one, and nobody else would end it.
    if (closing.signal.aborted) {
      await started.stop();
      throw new Error("stopped while it was being started");
    }
    running = started;
    return started;
  }

  /** Watches over one relay after another, until `close`. */
  async function watch(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (!closing.signal.aborted) {
      const since = now().getTime();
      try {
        const relay = running ?? (await launch(0));
        if (fault) log.info("the voice relay runs again");
        fault = await relay.ended;
        if (now().getTime() - since > STEADY_MS) waitMs = RETRY_FIRST_MS;
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error);
      }
      running = undefined;
      if (closing.signal.aborted) return;
      log.warn({ fault, retry_in_s: waitMs / 1000 }, "the voice relay does not run");
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
      waitMs = Math.min(2 * waitMs, RETRY_LAST_MS);
    }
  }

  try {
    await launch(PORT_WAIT_MS);
  } catch (error) {
    await rm(configFile, { force: true });
    throw new ConfigError(
      `The relay of TURN=local does not start: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  }
  log.info({ host, port }, "the voice relay runs");
  const watching = watch();
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await running?.stop();
    await watching;
    for (const file of [configFile, pidFile]) await rm(file, { force: true });
  };
  return {
    urls: toTurnUrls(options),
    secret,
    isRunning: () => running !== undefined,
    lastFault: () => fault,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function writeConfig(options: LocalTurnOptions, host: string, secret: string) {
  const folder = join(options.dataDir, "turn");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const configFile = join(folder, "turnserver.conf");
  const pidFile = join(folder, "turnserver.pid");
  const addresses = await chooseRelayAddresses(host, options.externalIp);
  const text = buildTurnserverConfig({
    port: options.port,
    minPort: options.minPort,
    maxPort: options.maxPort,
    secret,
    addresses,
    pidFile,
    runAs: await chooseRunAs(),
  });
  // Removed first: `mode` counts for a new file alone.
  await rm(configFile, { force: true });
  await writeFile(configFile, text, { mode: 0o600, flag: "wx" });
  await chmod(configFile, 0o600);
  return { configFile, pidFile, listening: addresses.listening };
}

function explainPort(port: number, code: string): string {
  if (code === "EADDRINUSE")
    return `port ${port} is taken, perhaps by the coturn that the system starts by itself (systemctl disable --now coturn). Stop it or set TURN_PORT.`;
  if (code === "EACCES")
    return `port ${port} may not be used by this account. Set TURN_PORT to one above 1023.`;
  return `port ${port} can't be used (${code}).`;
}
