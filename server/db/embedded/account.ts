import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { DatabaseStartError } from "./start-error.ts";

/** Where root's databases and binaries live when the account PostgreSQL runs as cannot enter the data folder. */
export const SHARED_ROOT = "/var/lib/foyer";

/** An account of the operating system that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Accounts tried in turn when root starts Foyer and names none. */
const DEFAULT_ACCOUNTS = ["postgres", "nobody"];

/** True when this process is root, which PostgreSQL refuses to run as. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Chooses whom PostgreSQL runs as: undefined means "as this process".
 *
 * Root drops to `databaseUser`, else to the owner of the cluster that exists (so that one start as root does
 * not take an ordinary user's database away), else to `postgres`, else to `nobody`.
 */
export async function chooseAccount(
  databaseUser: string | undefined,
  clusterOwnerUid: number | undefined,
): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  if (databaseUser !== undefined) return requireAccount(databaseUser);
  const owner = clusterOwnerUid ? await getAccount(String(clusterOwnerUid)) : undefined;
  if (owner) return owner;
  for (const name of DEFAULT_ACCOUNTS) {
    const account = await getAccount(name);
    if (account) return account;
  }
  throw new DatabaseStartError(
    "PostgreSQL refuses to run as root, and this system has neither a user `postgres` nor a user `nobody`.\n" +
      "Set FOYER_DB_USER to an ordinary user, or start Foyer as one.",
  );
}

async function requireAccount(name: string): Promise<Account> {
  const account = await getAccount(name);
  if (!account)
    throw new DatabaseStartError(`FOYER_DB_USER names the user \`${name}\`, which does not exist.`);
  if (account.uid === 0) {
    throw new DatabaseStartError(
      "FOYER_DB_USER names root; PostgreSQL refuses to run as root. Name another user.",
    );
  }
  return account;
}

/** Looks an account up by name or by uid; undefined where the system does not know it. */
export async function getAccount(nameOrUid: string): Promise<Account | undefined> {
  const answer = await runCommand("getent", ["passwd", nameOrUid]);
  const lines = answer.missing ? await readFile("/etc/passwd", "utf8") : answer.output;
  for (const line of lines.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === undefined || uid === undefined || gid === undefined) continue;
    if (name === nameOrUid || uid === nameOrUid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/**
 * Throws where the uid of this process has no name: initdb gives up then ("could not look up effective user
 * ID"). An existing cluster starts all the same, so only initialisation asks.
 */
export function requireNamedUser(lookUp: () => unknown = userInfo): void {
  try {
    lookUp();
  } catch (error) {
    throw new DatabaseStartError(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, and PostgreSQL cannot prepare a database ` +
        "without one.\nAdd a line for it, run as a user that exists (in Docker: without --user, or with a user of " +
        "the image), or set DATABASE_URL to a PostgreSQL server.",
      { cause: error },
    );
  }
}

/** Whom a process runs as, where that is not us. */
export interface RunAs {
  uid: number;
  gid: number;
}

/** How a short command ended. */
export interface CommandResult {
  isOk: boolean;
  /** The program itself was not found. */
  missing: boolean;
  /** stdout and stderr, or the reason why it could not be run. */
  output: string;
}

const COMMAND_TIMEOUT_MS = 20_000;

/**
 * The environment of every process we start. Bare on purpose: PGPORT, PGDATA or a foreign locale of the
 * owner's shell must not reach PostgreSQL, and its messages must stay in English because we read them.
 */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
}

/** The options that make a child run as `account`, from a folder that everyone may enter. */
export function toSpawnIdentity(account: RunAs | undefined): { cwd: string; uid?: number; gid?: number } {
  return account ? { cwd: "/", uid: account.uid, gid: account.gid } : { cwd: "/" };
}

/** Runs a short command to its end; never rejects and never throws, whatever happens to the child. */
export function runCommand(file: string, args: string[], account?: RunAs): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { ...toSpawnIdentity(account), env: buildEnvironment(), timeout: COMMAND_TIMEOUT_MS };
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        if (!error) return resolve({ isOk: true, missing: false, output: stdout });
        const output = `${stdout}${stderr}`.trim() || error.message;
        resolve({ isOk: false, missing: error.code === "ENOENT", output });
      });
    } catch (error) {
      // spawn throws at once, without an 'error' event, where the kernel refuses the change of user.
      resolve({ isOk: false, missing: false, output: String(error) });
    }
  });
}
