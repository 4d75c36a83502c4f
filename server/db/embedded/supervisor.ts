import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount, type RunAs } from "./account.ts";
import { type AdminConnection, APP_USER, prepareAppRole } from "./app-role.ts";
import { prepareBinaries } from "./binaries.ts";
import { adoptCluster, choosePlace, initialiseCluster, isClusterMissing, linkCluster } from "./cluster.ts";
import type { EmbeddedConnection } from "./connection.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import type { GuardedProcess } from "./guarded-process.ts";
import { type LaunchedServer, launchServer } from "./launch.ts";
import { openServerLog, type ServerLog } from "./server-log.ts";
import { endServers, listServerProcesses, signalServer } from "./server-processes.ts";
import { getErrorCode, toStartError } from "./start-error.ts";

/** A server to watch over. */
export interface RunningServer {
  process: GuardedProcess;
  cluster: string;
  log: ServerLog;
  logStart: number;
  warn: (message: string) => void;
  /** Called once, after PostgreSQL is gone. */
  cleanUp: () => Promise<void>;
}

const SHUTDOWN_PATIENCE_MS = 30_000;

/** Says when a server ends by itself, and how to end it. */
function superviseServer(server: RunningServer): {
  stop: () => Promise<void>;
  died: Promise<{ reason: string }>;
} {
  let stopping: Promise<void> | undefined;
  const died = new Promise<{ reason: string }>((resolve) => {
    void server.process.ended.then(async ({ reason }) => {
      if (!stopping) resolve({ reason: await describeDeath(server, reason) });
    });
  });
  const stop = () => {
    stopping ??= endServer(server);
    return stopping;
  };
  return { stop, died };
}

async function endServer(server: RunningServer): Promise<void> {
  const timer = setTimeout(() => {
    server.warn(
      `PostgreSQL has not stopped within ${SHUTDOWN_PATIENCE_MS / 1000} s; ending it at once (SIGQUIT).`,
    );
    signalPostmasters(server.cluster, "SIGQUIT");
  }, SHUTDOWN_PATIENCE_MS);
  server.process.letGo();
  // Besides, in case somebody killed the part of the guard that would send it.
  signalPostmasters(server.cluster, "SIGINT");
  await server.process.ended;
  clearTimeout(timer);
  // Normally nothing is left; but somebody may have killed the guard in place of the server.
  await endServers(server.cluster, server.warn);
  await server.cleanUp();
}

/** A site that has left root may not signal another account's process: the guard sends the first signal then. */
function signalPostmasters(cluster: string, signal: "SIGINT" | "SIGQUIT"): void {
  for (const { pid, isPostmaster } of listServerProcesses(cluster))
    if (isPostmaster && maySignal(pid)) signalServer(pid, signal);
}

function maySignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return getErrorCode(error) !== "EPERM";
  }
}

async function describeDeath({ log, logStart }: RunningServer, ending: string): Promise<string> {
  // The last line may be written a moment after the guard is gone.
  await sleep(20);
  const tail = await log.readTail(logStart).catch(() => "(the log cannot be read)");
  return `PostgreSQL ended by itself (${ending}). The last lines of ${log.path}:\n${tail}`;
}

export type { EmbeddedConnection };

/** A PostgreSQL that runs as long as this process. */
export interface EmbeddedServer {
  /** What `pg.Pool` needs: the private socket folder as host, and Foyer's user and database. */
  connection: EmbeddedConnection;
  /** The cluster's superuser, for `withRepairRights`. */
  adminConnection: AdminConnection;
  /** PostgreSQL's version, for instance `18.4`. */
  version: string;
  /** Fast shutdown; resolves when PostgreSQL is gone. May be called again. End the pool first. */
  stop(): Promise<void>;
  /** Resolves, never rejects, when PostgreSQL ends without `stop`; the reason is meant for the owner's terminal. */
  died: Promise<{ reason: string }>;
  /** Behind `died`: starts it at the same place, which stays locked meanwhile. @throws DatabaseStartError; this one may try again then */
  startAgain(): Promise<EmbeddedServer>;
}

/** How to start it. */
export interface EmbeddedOptions {
  /** FOYER_DATA_DIR, absolute; the cluster is `<dataDir>/postgres`, its log `<dataDir>/postgres.log`. */
  dataDir: string;
  /** FOYER_DB_USER: the account root drops to. */
  databaseUser?: string;
  /** Whom this process, which is root, will become: it has to reach the server then. */
  reader?: RunAs;
  /** How many processes of the site will use it; 1 by default. */
  processes?: number;
  log: { info(message: string): void; warn(message: string): void };
  /** Gets a line for each step that takes seconds. */
  onProgress?: (step: string) => void;
}

/**
 * Starts PostgreSQL on the data folder, preparing it first where it is new. Throws DatabaseStartError with what is
 * wrong and what to do; nothing is left running then.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const locks: FolderLock[] = [];
  const release = async () => {
    for (const lock of locks.splice(0)) await lock.release();
  };
  try {
    await mkdir(options.dataDir, { recursive: true });
    const dataDir = await realpath(options.dataDir);
    locks.push(await lockFolder(dataDir));
    const log = await openServerLog(join(dataDir, "postgres.log"));
    try {
      return await startLocked(dataDir, log, options, locks, release);
    } catch (error) {
      await log.close();
      throw error;
    }
  } catch (error) {
    await release();
    throw toStartError(error);
  }
}

async function startLocked(
  dataDir: string,
  log: ServerLog,
  options: EmbeddedOptions,
  locks: FolderLock[],
  release: () => Promise<void>,
): Promise<EmbeddedServer> {
  const { info, warn } = options.log;
  const onProgress = options.onProgress ?? info;
  const account = await chooseAccount(options.databaseUser, await getOwnerUid(join(dataDir, "postgres")));
  const binaries = await prepareBinaries(account, (target) => {
    onProgress(`Copying PostgreSQL to ${target}, where ${account?.name} can run it…`);
  });
  const place = await choosePlace(dataDir, account);
  // A copied data folder may hold a link to the same cluster, under another lock.
  if (place.cluster !== place.visible) locks.push(await lockFolder(place.cluster));

  const setting = {
    ...place,
    account,
    reader: options.reader,
    processes: options.processes,
    binaries,
    log,
    warn,
    onProgress,
  };
  if (await isClusterMissing(place.cluster)) {
    onProgress("Preparing the database (first start)…");
    await initialiseCluster(setting);
  } else {
    await adoptCluster(setting);
  }
  await linkCluster(place);
  const launched = await launchServer(setting);
  info(`PostgreSQL ${binaries.version} runs on ${place.cluster}${account ? ` as ${account.name}` : ""}.`);
  const cleanUp = async () => {
    await rm(launched.connection.host, { recursive: true, force: true }).catch((error: unknown) => {
      // This process was root when it made the folder: the next start makes it anew.
      if (getErrorCode(error) !== "EACCES") throw error;
    });
    await log.close();
    await release();
  };
  const supervise = (server: LaunchedServer): EmbeddedServer => {
    const { connection: adminConnection } = server;
    return {
      connection: { ...adminConnection, user: APP_USER },
      adminConnection,
      version: binaries.version,
      ...superviseServer({ ...server, cluster: place.cluster, log, warn, cleanUp }),
      startAgain: async () => {
        try {
          return supervise(await launchServer(setting));
        } catch (error) {
          throw toStartError(error);
        }
      },
    };
  };
  const supervised = supervise(launched);
  try {
    await prepareAppRole(launched.connection);
  } catch (error) {
    await supervised.stop();
    throw error;
  }
  return supervised;
}

async function getOwnerUid(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
