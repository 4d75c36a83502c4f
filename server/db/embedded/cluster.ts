import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Account, requireNamedUser, runCommand, SHARED_ROOT } from "./account.ts";
import { toProgram, type UsableBinaries } from "./binaries.ts";
import { hashFolder } from "./folder-lock.ts";
import { startGuarded } from "./guarded-process.ts";
import type { ServerLog } from "./server-log.ts";
import { endServers } from "./server-processes.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Where one data folder keeps its database. */
export interface Place {
  /** The folder PostgreSQL calls its data directory; links are resolved. It need not exist yet. */
  cluster: string;
  /** A folder of ours that the account can enter; the socket folder goes here. */
  home: string;
  /** The path inside the data folder by which people find the cluster. */
  visible: string;
}

/**
 * Decides where the cluster lives: in `<dataDir>/postgres`, or, when root's data folder is closed to `account`
 * (a clone under /root), below /var/lib/foyer. A link that the owner put at `<dataDir>/postgres` is followed.
 *
 * `dataDir` must be a real path. Modes of folders that exist are left alone.
 */
export async function choosePlace(
  dataDir: string,
  account: Account | undefined,
  sharedRoot = SHARED_ROOT,
): Promise<Place> {
  const visible = join(dataDir, "postgres");
  const found = await getKind(visible);
  const isOpen = !account || (await canEnter(account, dataDir));
  const home = isOpen ? dataDir : await ensureSharedHome(dataDir, sharedRoot);
  if (found === "link") return { cluster: await followLink(visible), home, visible };
  if (isOpen) return { cluster: visible, home, visible };
  const cluster = join(home, "postgres");
  if (found === "folder") await moveCluster(visible, cluster, account);
  return { cluster, home, visible };
}

/** Leaves a link in the data folder when the cluster lives elsewhere; called once the cluster exists. */
export async function linkCluster({ cluster, visible }: Place): Promise<void> {
  if (cluster !== visible && (await getKind(visible)) === "nothing") await symlink(cluster, visible);
}

async function getKind(path: string): Promise<"nothing" | "link" | "folder"> {
  try {
    return (await lstat(path)).isSymbolicLink() ? "link" : "folder";
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return "nothing";
    throw error;
  }
}

async function canEnter(account: Account, folder: string): Promise<boolean> {
  return (await runCommand("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], account)).isOk;
}

async function followLink(link: string): Promise<string> {
  try {
    return await realpath(link);
  } catch (error) {
    throw new DatabaseStartError(
      `${link} is a link to a folder that is gone or closed. Bring the folder back, or remove the link to start ` +
        "with an empty database.",
      { cause: error },
    );
  }
}

async function ensureSharedHome(dataDir: string, sharedRoot: string): Promise<string> {
  const home = join(sharedRoot, `${basename(dataDir)}-${hashFolder(dataDir).slice(0, 12)}`);
  await mkdir(home, { recursive: true });
  // mkdir obeys the umask; the account must be able to enter both.
  await chmod(sharedRoot, 0o755);
  await chmod(home, 0o755);
  return home;
}

/** The clone was moved below a closed folder, so its cluster moves out of it. */
async function moveCluster(from: string, to: string, account: Account): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw new DatabaseStartError(
      `The user \`${account.name}\`, who runs PostgreSQL, cannot enter ${from}, and it could not be moved to ${to} ` +
        `(${getErrorCode(error)}).\nMove the data folder to a place open to that user, or start Foyer as an ordinary user.`,
      { cause: error },
    );
  }
}

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
