import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ALONE, type ChildMessage, createLaunchSecret, LAUNCHED_NAME, toLaunchedText } from "./launched.ts";
import { type Child, type GroupDeps, keepProcesses } from "./process-group.ts";

const MAIN = join(import.meta.dirname, "../main.ts");
/** Well past a process's own limit for its drain: after it the event loop is stuck. */
const STOP_LIMIT_MS = 45_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function startChild(
  count: number,
  secret: string,
  { number, isJoining, port }: Parameters<GroupDeps["start"]>[0],
): Child {
  const child = fork(MAIN, [], {
    env: {
      ...process.env,
      [LAUNCHED_NAME]: toLaunchedText({ number, count, isJoining, secret }),
      ...(port !== undefined && { PORT: String(port) }),
    },
    // Ctrl-C on the terminal is this process's alone: it says who ends when.
    detached: true,
  });
  const { promise: exited, resolve } = Promise.withResolvers<string>();
  let limit: NodeJS.Timeout | undefined;
  child.once("error", (error) => resolve(error.message));
  child.once("exit", (code, signal) => {
    clearTimeout(limit);
    resolve(signal ? `signal ${signal}` : `exit code ${code}`);
  });
  return {
    exited,
    onMessage: (listener) => void child.on("message", (message) => listener(message as ChildMessage)), // only `say` of launched.ts sends
    // It may be gone already.
    tellAlone: () => void (child.connected && child.send(ALONE, () => undefined)),
    kill(signal) {
      child.kill(signal);
      limit ??= setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    },
  };
}

/** What `--processes 2` runs: this process starts those of the site, and does nothing else until they have ended. */
export async function startProcesses(count: number): Promise<never> {
  const secret = createLaunchSecret();
  const group = keepProcesses({
    count,
    start: (options) => startChild(count, secret, options),
    say: (line) => console.error(line),
    steadyMs: () => performance.now(),
    sleep: (ms) => sleep(ms),
  });
  for (const signal of SIGNALS) process.on(signal, () => group.stop(signal));
  // Whoever started this process is gone, whatever killed it.
  process.on("disconnect", () => group.stop("SIGTERM"));
  process.channel?.unref();
  process.exit(await group.ended);
}
