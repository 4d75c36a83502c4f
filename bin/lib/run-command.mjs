import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ROOT } from "./paths.mjs";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

export const toExitCode = (code, signal) => code ?? 128 + constants.signals[signal];

/**
 * Runs a command to its end and keeps its output for the case that it fails. Where this process is told to stop, the
 * command is told too and waited for: an install or a build that lives on alone would race with the next one.
 * `onStart` gets the command's process id; `stopWith` is the signal for a command that takes its time with gentler
 * ones. Where the machine has no such command, the code is 127.
 */
export function runCommand(command, args, { env = process.env, onStart, stopWith } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
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
    child.once("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish(127);
    });
    child.once("close", (code, signal) => finish(toExitCode(code, signal)));
    if (child.pid !== undefined) onStart?.(child.pid);
  });
}
