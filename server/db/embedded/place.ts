import { chmod, lstat, mkdir, realpath, rename, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Account } from "./account.ts";
import { hashFolder } from "./folder-lock.ts";
import { runCommand } from "./run-command.ts";
import { SHARED_ROOT } from "./shared-root.ts";
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
