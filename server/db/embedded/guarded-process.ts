import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Account, buildEnvironment, toSpawnIdentity } from "./account.ts";

/** How a guarded process ended. */
export interface Ending {
  isOk: boolean;
  /** For instance "exit code 1". */
  reason: string;
}

/** A process that cannot outlive this one. */
export interface GuardedProcess {
  /** Resolves when it has ended; never rejects. */
  ended: Promise<Ending>;
  /** Asks it to end, by the guard's signal. */
  letGo(): void;
  /** What it writes, where that goes to no file. */
  output: Readable | undefined;
}

/** How the program is started, and how it is ended. */
export interface GuardOptions {
  account: Account | undefined;
  /** A file's descriptor, or "pipe": its starter reads stdout, and stderr goes with it. */
  logFd: number | "pipe";
  /** INT by default. A program that leaves a signal ignored that it found ignored needs KILL. */
  signal?: "INT" | "KILL";
}

/**
 * The guard: a shell that waits for the program, and a second one that blocks on a pipe whose other end only
 * Node holds. When Node ends, however it ends, the pipe closes and the program gets the signal, SIGINT being fast
 * shutdown for PostgreSQL. It is sent until the program is gone, because one that has not yet installed its
 * handlers ignores it (POSIX: background commands start with SIGINT ignored); PostgreSQL takes the first and
 * ignores the rest.
 *
 * Both shells ignore what a service manager sends to every process at once (SIGTERM, SIGHUP): Node alone decides
 * then. SIGUSR1 is how the first ends the second. As the parent, the first also collects the program at once: a
 * postmaster that stays a zombie would block the next start. The program does not inherit the pipe.
 */
const toGuard = (signal: "INT" | "KILL") => `
trap '' HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- 2>&1 &
program=$!
(
  read -r line <&3
  trap '' USR1
  while kill -s ${signal} "$program" 2>/dev/null; do sleep 0.05 || sleep 1; done
) &
reader=$!
wait "$program"
code=$?
kill -s USR1 "$reader" 2>/dev/null
wait "$reader" 2>/dev/null
exit "$code"
`;

/**
 * Starts a program under the guard, as `account`, with its output in `logFd`. In its own session, so that
 * Ctrl-C in the terminal reaches Node alone, which then stops the database in order.
 */
export function startGuarded(
  command: [program: string, ...args: string[]],
  { account, logFd, signal = "INT" }: GuardOptions,
): GuardedProcess {
  let child: ChildProcess;
  try {
    child = spawn("/bin/sh", ["-c", toGuard(signal), "foyer-guard", ...command], {
      ...toSpawnIdentity(account),
      env: buildEnvironment(),
      detached: true,
      stdio: ["pipe", logFd, logFd === "pipe" ? "ignore" : logFd],
    });
  } catch (error) {
    // spawn throws at once, without an 'error' event, where the kernel refuses the change of user.
    return {
      ended: Promise.resolve({ isOk: false, reason: String(error) }),
      letGo: () => undefined,
      output: undefined,
    };
  }
  const ended = new Promise<Ending>((resolve) => {
    child.once("error", (error) => resolve({ isOk: false, reason: error.message }));
    child.once("exit", (code, signal) => {
      resolve({ isOk: code === 0, reason: signal ? `signal ${signal}` : `exit code ${code}` });
    });
  });
  // The guard never writes and may end first; either way the pipe has nothing to report.
  child.stdin?.on("error", () => undefined);
  return { ended, letGo: () => child.stdin?.destroy(), output: child.stdout ?? undefined };
}
