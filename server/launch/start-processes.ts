import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeptDatabase, keepDatabase } from "./keep-database.ts";
import { type ChildMessage, createLaunchSecret, LAUNCHED_NAME, toLaunchedText } from "./launched.ts";
import { type Child, type GroupDeps, keepProcesses, type ProcessGroup } from "./process-group.ts";
import { hasOwnDatabase } from "./read-count.ts";

const MAIN = join(import.meta.dirname, "../main.ts");
/** Well past a process's own limit for its drain: after it the event loop is stuck. */
const STOP_LIMIT_MS = 45_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const say = (line: string) => console.error(line);
const steadyMs = () => performance.now();
const pause = (ms: number) => sleep(ms);

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
    onMessage: (listener) => void child.on("message", (message) => listener(message as ChildMessage)), // only `sayReady` sends
    kill(signal) {
      child.kill(signal);
      limit ??= setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    },
  };
}

/** Their built-in database, which is this process's, so that it outlives each of them. Undefined: the settings name another one. */
async function openDatabaseOf(count: number, fail: (why: string) => void): Promise<KeptDatabase | undefined> {
  if (!hasOwnDatabase(process.env)) return undefined;
  const { startOwnDatabase, toStartFault } = await import("./own-database.ts");
  try {
    return await keepDatabase({ start: () => startOwnDatabase(count), say, fail, steadyMs, sleep: pause });
  } catch (error) {
    console.error("\nFoyer could not start.\n", toStartFault(error));
    process.exit(1);
  }
}

/** What `--processes 2` runs: this process starts those of the site, with their built-in database, and does nothing else until they have ended. */
export async function startProcesses(count: number): Promise<never> {
  let group: ProcessGroup | undefined;
  const stop = (signal: NodeJS.Signals) => (group ? group.stop(signal) : process.exit());
  for (const signal of SIGNALS) process.on(signal, stop);
  // Whoever started this process is gone, whatever killed it.
  process.on("disconnect", () => stop("SIGTERM"));
  process.channel?.unref();

  const database = await openDatabaseOf(count, (why) => group?.fail(`\nFoyer stops: ${why}`));
  const secret = createLaunchSecret();
  group = keepProcesses({
    count,
    start: (options) => startChild(count, secret, options),
    say,
    steadyMs,
    sleep: pause,
  });
  const code = await group.ended;
  await database?.stop();
  process.exit(code);
}
