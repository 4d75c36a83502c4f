import { spawn } from "node:child_process";
import { Fault } from "./fault.mjs";
import { ROOT } from "./paths.mjs";
import { toExitCode } from "./run-command.mjs";

/** Well past the server's own limit for its drain: after it the event loop is stuck, and only SIGKILL ends that. */
const STOP_LIMIT_MS = 50_000;

/** Node sets SIGHUP back to its default at start, so even under nohup ending in order beats being killed by it. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * A process that owns the terminal. `ipc` opens a channel whose end tells the process that this one was killed.
 * `exited` resolves with the exit code, 128 + n for a signal.
 */
export function startForeground(command, args, { env = process.env, ipc = false } = {}) {
  const stdio = ["inherit", "inherit", "inherit"];
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ipc ? [...stdio, "ipc"] : stdio });
  let killTimer;
  const exited = new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Fault(`${command} does not run: ${error.message}`)));
    child.once("exit", (code, signal) => {
      clearTimeout(killTimer);
      resolve(toExitCode(code, signal));
    });
  });
  const stop = (signal) => {
    if (killTimer) return;
    child.kill(signal);
    killTimer = setTimeout(() => {
      process.stderr.write(
        `Process ${child.pid} did not stop within ${STOP_LIMIT_MS / 1000} s and is killed.\n`,
      );
      child.kill("SIGKILL");
    }, STOP_LIMIT_MS);
  };
  return { exited, stop };
}

/** How soon the end of npm is noticed. */
const PARENT_POLL_MS = 1000;

/**
 * Calls `stop` on every signal that asks this process to end, as often as it comes, and when npm, which started it, was
 * killed. Ctrl-C reaches this process from the terminal and once more through npm: whoever stops must bear repetition.
 * The result takes the listeners off.
 */
export function onStopRequest(stop) {
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) stop("SIGTERM");
  }, PARENT_POLL_MS);
  return () => {
    clearInterval(timer);
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
  };
}

/** Runs a process in the foreground to its end; its exit code is the result. */
export async function runForeground(command, args, options) {
  const { exited, stop } = startForeground(command, args, options);
  const release = onStopRequest(stop);
  try {
    return await exited;
  } finally {
    release();
  }
}
