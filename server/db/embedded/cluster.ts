import { chmod, chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Account, requireNamedUser } from "./account.ts";
import { toProgram } from "./binaries.ts";
import { startGuarded } from "./guarded-process.ts";
import { endServers } from "./leftovers.ts";
import type { ServerLog } from "./server-log.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";
import type { UsableBinaries } from "./usable-binaries.ts";

/** Superuser of the cluster and name of its one database. */
export const CLUSTER_USER = "foyer";

/** What preparing a cluster needs. */
export interface ClusterSetting {
  cluster: string;
  account: Account | undefined;
  binaries: UsableBinaries;
  log: ServerLog;
  warn: (message: string) => void;
}

/** True when there is nothing at this path that initialisation would overwrite. */
export async function isClusterMissing(cluster: string): Promise<boolean> {
  try {
    return (await readdir(cluster)).length === 0;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return true;
    if (getErrorCode(error) === "EACCES") throw toClosedError(cluster, error);
    throw error;
  }
}

/**
 * Initialises beside the cluster and renames when all is written: a killed initdb leaves a folder that starts
 * but lacks the database `postgres`, so only a renamed folder counts.
 */
export async function initialiseCluster({
  cluster,
  account,
  binaries,
  log,
  warn,
}: ClusterSetting): Promise<void> {
  if (!account) requireNamedUser();
  const draft = `${cluster}.init`;
  await endServers(draft, warn);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (account) await chown(draft, account.uid, account.gid);
  const logStart = await log.measureBytes();
  const initdb = startGuarded([toProgram(binaries, "initdb"), ...buildInitArguments(draft)], {
    account,
    logFd: log.fd,
  });
  const ending = await initdb.ended;
  if (!ending.isOk) {
    throw new DatabaseStartError(
      `Preparing the database in ${cluster} failed (${ending.reason}). PostgreSQL says:\n${await log.readTail(logStart)}`,
    );
  }
  await rename(draft, cluster);
  await flushFolder(dirname(cluster));
}

/**
 * The built-in provider sorts by code point whatever the system's libc does, so that a data folder may move
 * between machines. lc_ctype must be said as well: pg_trgm asks libc what a letter is, and under LANG=C it would
 * drop every letter that is not ASCII.
 */
function buildInitArguments(folder: string): string[] {
  return [
    "-D",
    folder,
    `--username=${CLUSTER_USER}`,
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C.UTF-8",
    "--lc-ctype=C.UTF-8",
    "--lc-messages=C",
    "--data-checksums",
    "--auth-local=trust",
    "--auth-host=reject",
  ];
}

/** Throws unless this folder is a cluster of the binaries' major version; opens it to the account that runs them. */
export async function adoptCluster({ cluster, account, binaries }: ClusterSetting): Promise<void> {
  const found = await stat(cluster);
  const uid = account?.uid ?? process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    if (!account) throw toClosedError(cluster, undefined);
    await giveFolder(cluster, account);
  }
  // PostgreSQL refuses a folder that others may read, which is how a plain copy of it looks.
  if (found.mode & 0o077) await chmod(cluster, 0o700);
  await requireMajor(cluster, binaries);
}

async function requireMajor(cluster: string, binaries: UsableBinaries): Promise<void> {
  const major = (await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (major === binaries.major) return;
  if (major === "") {
    throw new DatabaseStartError(
      `${cluster} holds files but is no PostgreSQL database (PG_VERSION is missing).\nRestore it from a backup, or ` +
        "move it away to start with an empty database.",
    );
  }
  throw new DatabaseStartError(
    `The database in ${cluster} was written by PostgreSQL ${major}, and this Foyer brings PostgreSQL ` +
      `${binaries.version}. Nothing was changed.\nStart the Foyer that wrote it, take a backup, move ${cluster} ` +
      "away, start this Foyer and restore the backup.",
  );
}

function toClosedError(cluster: string, cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    `The database folder ${cluster} belongs to another user.\nStart Foyer as that user or as root, or give the ` +
      `folder to the user who starts it now: sudo chown -R $(id -u) ${cluster}`,
    { cause },
  );
}

async function giveFolder(folder: string, account: Account): Promise<void> {
  await lchown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveFolder(path, account);
    else await lchown(path, account.uid, account.gid);
  }
}

/** A rename survives a power cut only when the folder around it was flushed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
