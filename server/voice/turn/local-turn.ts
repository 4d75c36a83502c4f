import { randomBytes, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError } from "../../config.ts";
import type { LocalTurnConfig } from "../../config-values.ts";
import { toUrlHost } from "../ice.ts";
import { buildTurnserverConfig, chooseRelayAddresses, toRelayHost } from "./turnserver-config.ts";
import {
  chooseRunAs,
  findTurnserver,
  knowsSecret,
  startTurnserver,
  type Turnserver,
} from "./turnserver-process.ts";

const LOOK_EVERY_MS = 100;

/** Why a relay can't listen on a port: `EADDRINUSE`, `EACCES` …; undefined where it can. */
const findPortFault = async (port: number, address: string | undefined): Promise<string | undefined> =>
  (await tryUdp(port, address)) ?? (await tryTcp(port, address));

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

/** The relay of this machine. Of several processes of the site one runs it, as long as that process. */
export interface LocalTurn {
  /** What browsers get. */
  urls: string[];
  /** Credentials are made of it. Unless given, a new one each start: a relay forgets its allocations then anyway, and nothing is left to steal. */
  secret: string;
  /** True also where another process of the site has it: whether it answers its port says. */
  isRunning(): boolean;
  /** Why it doesn't run, or what ended it last; undefined where it never did. */
  lastFault(): string | undefined;
  /** Resolves when it is gone. May be called again. */
  close(): Promise<void>;
}

export interface LocalTurnOptions extends LocalTurnConfig {
  dataDir: string;
  /** TURN_SECRET: other relays beside this one have it, and so has each process of the site. */
  secret?: string | undefined;
  log: Pick<Logger, "debug" | "info" | "warn">;
  now: () => Date;
  /** Finds coturn's program; tests know machines without it. */
  findProgram?: () => Promise<string | undefined>;
  /** Starts it; tests hold it. */
  start?: typeof startTurnserver;
  /** In tests: how often the port is looked at while another process has the relay. */
  takeOverMs?: number;
}

function toTurnUrls({ host, port }: Pick<LocalTurnConfig, "host" | "port">): string[] {
  const at = `${toUrlHost(toRelayHost(host))}:${port}`;
  return [`stun:${at}`, `turn:${at}?transport=udp`, `turn:${at}?transport=tcp`];
}

/** The relay that another process of this machine runs for good, with the secret that both were given. */
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
/** How soon the relay of a process that ended is followed by one of this process. */
const TAKE_OVER_MS = 1_000;
const RETRY_FIRST_MS = 500;
const RETRY_LAST_MS = 60_000;
/** A relay that has run that long is started again at once. */
const STEADY_MS = 60_000;

/**
 * Starts coturn with a configuration of Foyer's own, and again whenever it ends by itself. Where another process of the site runs one on that port,
 * which its knowing `secret` proves, that one is used until its process ends, and then one is started.
 *
 * @throws ConfigError where it isn't installed, its port is taken by something else, or it doesn't start
 */
export async function openLocalTurn(options: LocalTurnOptions): Promise<LocalTurn> {
  const { log, now, port, takeOverMs = TAKE_OVER_MS } = options;
  const host = toRelayHost(options.host);
  const program = await (options.findProgram ?? findTurnserver)();
  if (!program)
    throw new ConfigError(
      "TURN=local needs coturn, and there is no turnserver. Install it (apt install coturn) or empty TURN.",
    );
  const secret = options.secret ?? randomBytes(32).toString("hex");
  const addresses = await chooseRelayAddresses(host, options.externalIp);
  const { listening } = addresses;
  const address = listening ?? "127.0.0.1";
  const folder = join(options.dataDir, "turn");
  const pidFile = join(folder, `turnserver-${port}.pid`);
  const closing = new AbortController();
  let running: Turnserver | undefined;
  let isElsewhere = false;
  let fault: string | undefined;

  /** @returns whether the port is free for a relay of this process; else the site has one there. @throws Error where it is something else's */
  async function takePort(waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    for (;;) {
      const portFault = await findPortFault(port, listening);
      if (!portFault) return true;
      const isTaken = portFault === "EADDRINUSE";
      if (isTaken && options.secret !== undefined && (await knowsSecret(address, port, secret, now())))
        return false;
      if (!isTaken || performance.now() > until) throw new Error(explainPort(port, portFault));
      await sleep(LOOK_EVERY_MS);
    }
  }

  async function start(): Promise<Turnserver> {
    // The folder may be another process's too: what is written has a name of its own.
    const configFile = join(folder, `${randomUUID()}.conf`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { minPort, maxPort } = options;
    const settings = { port, minPort, maxPort, secret, addresses, pidFile, runAs: await chooseRunAs() };
    await writeFile(configFile, buildTurnserverConfig(settings), { mode: 0o600, flag: "wx" });
    try {
      return await (options.start ?? startTurnserver)({
        ...{ program: program ?? "", configFile, address, port },
        onLine: (line) => log.debug({ line: line.replaceAll(secret, "…") }, "turnserver"),
      });
    } finally {
      // One that answers has read it.
      await rm(configFile, { force: true });
    }
  }

  async function launch(portWaitMs: number): Promise<void> {
    if (await takePort(portWaitMs)) {
      const started = await start();
      // Closed meanwhile: `close` has not seen this one, and nobody else would end it.
      if (closing.signal.aborted) {
        await started.stop();
        throw new Error("stopped while it was being started");
      }
      running = started;
    }
    isElsewhere = running === undefined;
    log.info(
      { host, port },
      isElsewhere ? "another process of the site runs the voice relay" : "the voice relay runs",
    );
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined); // closed

  /** Until the process that has the relay gives up its port. */
  async function waitForPort(): Promise<void> {
    while (!closing.signal.aborted && (await findPortFault(port, listening)) === "EADDRINUSE")
      await pause(takeOverMs);
  }

  /** @returns why this process's relay ended; undefined where another one's was waited for, or nothing is wanted any more */
  async function follow(): Promise<string | undefined> {
    if (isElsewhere) await waitForPort();
    if (closing.signal.aborted) return undefined;
    if (!running) await launch(0);
    if (!running) return undefined;
    const reason = await running.ended;
    await rm(pidFile, { force: true });
    return reason;
  }

  /** Watches over one relay after another, until `close`. */
  async function watch(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (!closing.signal.aborted) {
      const since = now().getTime();
      const ended = await follow().catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      if (ended === undefined) continue;
      [fault, running, isElsewhere] = [ended, undefined, false];
      if (closing.signal.aborted) return;
      if (now().getTime() - since > STEADY_MS) waitMs = RETRY_FIRST_MS;
      log.warn({ fault, retry_in_s: waitMs / 1000 }, "the voice relay does not run");
      await pause(waitMs);
      waitMs = Math.min(2 * waitMs, RETRY_LAST_MS);
    }
  }

  try {
    await launch(PORT_WAIT_MS);
  } catch (error) {
    throw new ConfigError(
      `The relay of TURN=local does not start: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  }
  const watching = watch();
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await running?.stop();
    await watching;
  };
  return {
    urls: toTurnUrls(options),
    secret,
    isRunning: () => running !== undefined || isElsewhere,
    lastFault: () => fault,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function explainPort(port: number, code: string): string {
  if (code === "EADDRINUSE")
    return `port ${port} is taken, perhaps by the coturn that the system starts by itself (systemctl disable --now coturn): stop it or set TURN_PORT. Or another process of the site on this machine has its relay there: set TURN_SECRET, the same for both (openssl rand -hex 32), and this one uses it.`;
  if (code === "EACCES")
    return `port ${port} may not be used by this account. Set TURN_PORT to one above 1023.`;
  return `port ${port} can't be used (${code}).`;
}
