import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedServer } from "../db/embedded/supervisor.ts";
import { keepDatabase } from "./keep-database.ts";
import {
  type ChildMessage,
  createLaunchSecret,
  LAUNCHED_NAME,
  SAME_WISH_MS,
  toLaunchedText,
} from "./launched.ts";
import { type Child, type GroupDeps, keepProcesses, type ProcessGroup } from "./process-group.ts";
import { hasOwnDatabase } from "./read-count.ts";

const MAIN = join(import.meta.dirname, "../main.ts");
/** Well past a process's own limit for its drain: after it the event loop is stuck. */
const STOP_LIMIT_MS = 45_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const say = (line: string) => console.error(line);
const steadyMs = () => performance.now();
const pause = (ms: number) => sleep(ms);

/** Their built-in database, which is this process's, so that it outlives each of them. Undefined: the settings name another one. */
async function openOwnDatabase(count: number): Promise<EmbeddedServer | undefined> {
  if (!hasOwnDatabase(process.env)) return undefined;
  const { startOwnDatabase, toStartFault } = await import("./own-database.ts");
  try {
    return await startOwnDatabase(count);
  } catch (error) {
    console.error("\nFoyer could not start.\n", toStartFault(error));
    process.exit(1);
  }
}

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

/** A process that can't even be made: as one that ended at once. */
const toFailed = (error: unknown): Child => ({
  exited: Promise.resolve(String(error)),
  onMessage: () => undefined,
  kill: () => undefined,
});

/** What `--processes 2` runs: this process starts those of the site, with their built-in database, and does nothing else until they have ended. */
export async function startProcesses(count: number): Promise<never> {
  let group: ProcessGroup | undefined;
  let stoppedAt: number | undefined;
  /** Again, and no longer the same wish: what is left is killed, and PostgreSQL's guard ends it. */
  function stop(signal: NodeJS.Signals): void {
    const isFirst = stoppedAt === undefined;
    stoppedAt ??= steadyMs();
    if (isFirst && group) group.stop(signal);
    else if (isFirst) process.exit();
    else if (steadyMs() - stoppedAt > SAME_WISH_MS) {
      group?.stop("SIGKILL");
      process.exit(1);
    }
  }
  for (const signal of SIGNALS) process.on(signal, stop);
  // Whoever started this process is gone, whatever killed it.
  process.on("disconnect", () => stop("SIGTERM"));
  process.channel?.unref();

  const server = await openOwnDatabase(count);
  const secret = createLaunchSecret();
  group = keepProcesses({
    count,
    start(options) {
      try {
        return startChild(count, secret, options);
      } catch (error) {
        return toFailed(error);
      }
    },
    say,
    steadyMs,
    sleep: pause,
  });
  const { ended, fail } = group;
  const database =
    server &&
    keepDatabase({
      server,
      // A service manager may stop all of it at once: what ends then is no news.
      say: (line) => stoppedAt === undefined && say(line),
      fail: (why) => fail(`\nFoyer stops: ${why}`),
      steadyMs,
      sleep: pause,
    });
  const code = await ended;
  await database?.stop().catch((error: unknown) => console.error(error));
  process.exit(code);
}
