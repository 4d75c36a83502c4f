import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { chooseAccount } from "./account.ts";
import { adoptCluster, initialiseCluster, isClusterMissing } from "./cluster.ts";
import type { EmbeddedConnection } from "./connection.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { launchServer } from "./launch.ts";
import { choosePlace, linkCluster } from "./place.ts";
import { superviseServer } from "./running-server.ts";
import { openServerLog, type ServerLog } from "./server-log.ts";
import { getErrorCode, toStartError } from "./start-error.ts";
import { prepareBinaries } from "./usable-binaries.ts";

export type { EmbeddedConnection };

/** A PostgreSQL that runs as long as this process. */
export interface EmbeddedServer {
  /** What `pg.Pool` needs: the private socket folder as host, and Foyer's user and database. */
  connection: EmbeddedConnection;
  /** PostgreSQL's version, for instance `18.4`. */
  version: string;
  /** Fast shutdown; resolves when PostgreSQL is gone. May be called again. End the pool first. */
  stop(): Promise<void>;
  /** Resolves, never rejects, when PostgreSQL ends without `stop`; the reason is meant for the owner's terminal. */
  died: Promise<{ reason: string }>;
}

/** How to start it. */
export interface EmbeddedOptions {
  /** FOYER_DATA_DIR, absolute; the cluster is `<dataDir>/postgres`, its log `<dataDir>/postgres.log`. */
  dataDir: string;
  /** FOYER_DB_USER: the account root drops to. */
  databaseUser?: string;
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

  const setting = { ...place, account, binaries, log, warn, onProgress };
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
    await rm(launched.connection.host, { recursive: true, force: true });
    await log.close();
    await release();
  };
  const { stop, died } = superviseServer({ ...launched, cluster: place.cluster, log, warn, cleanUp });
  return { connection: launched.connection, version: binaries.version, stop, died };
}

async function getOwnerUid(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
