import { execFile } from "node:child_process";

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
