import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { ROOT } from "./paths.mjs";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The descriptor on which a test runner's reporter tells, a line at a time, what it is at. */
const PROGRESS_FD = 3;

export const toExitCode = (code, signal) => code ?? 128 + constants.signals[signal];

/**
 * Runs a command to its end and keeps its output for the case that it fails. Where this process is told to stop, the
 * command is told too and waited for: an install or a build that lives on alone would race with the next one.
 * `onStart` gets the command's process id; `stopWith` is the signal for a command that takes its time with gentler
 * ones; `onProgress` gets the lines that the command writes to the descriptor named by FOYER_PROGRESS_FD. Where the
 * machine has no such command, the code is 127.
 */
export function runCommand(command, args, { env = process.env, onStart, stopWith, onProgress } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, {
      cwd: ROOT,
      env: onProgress ? { ...env, FOYER_PROGRESS_FD: String(PROGRESS_FD) } : env,
      stdio: ["ignore", "pipe", "pipe", onProgress ? "pipe" : "ignore"],
    });
    let stoppedBy;
    const stop = (signal) => {
      stoppedBy = signal;
      child.kill(stopWith ?? signal);
    };
    const finish = (code) => {
      for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
      if (stoppedBy) process.exit(toExitCode(null, stoppedBy));
      resolve({ code, output: Buffer.concat(chunks).toString() });
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    if (onProgress) createInterface({ input: child.stdio[PROGRESS_FD] }).on("line", onProgress);
    child.once("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish(127);
    });
    child.once("close", (code, signal) => finish(toExitCode(code, signal)));
    if (child.pid !== undefined) onStart?.(child.pid);
  });
}
