import { setTimeout as sleep } from "node:timers/promises";
import type { GuardedProcess } from "./guarded-process.ts";
import { endServers, signalServer } from "./leftovers.ts";
import type { ServerLog } from "./server-log.ts";
import { listServerProcesses } from "./server-processes.ts";

/** A server to watch over. */
export interface RunningServer {
  process: GuardedProcess;
  cluster: string;
  log: ServerLog;
  logStart: number;
  warn: (message: string) => void;
  /** Called once, after PostgreSQL is gone. */
  cleanUp: () => Promise<void>;
}

const SHUTDOWN_PATIENCE_MS = 30_000;

/** Tells when a server ends by itself, and how to end it. */
export function superviseServer(server: RunningServer): {
  stop: () => Promise<void>;
  died: Promise<{ reason: string }>;
} {
  let stopping: Promise<void> | undefined;
  const died = new Promise<{ reason: string }>((resolve) => {
    void server.process.ended.then(async ({ reason }) => {
      if (!stopping) resolve({ reason: await describeDeath(server, reason) });
    });
  });
  const stop = () => {
    stopping ??= endServer(server);
    return stopping;
  };
  return { stop, died };
}

async function endServer(server: RunningServer): Promise<void> {
  const timer = setTimeout(() => {
    server.warn(
      `PostgreSQL has not stopped within ${SHUTDOWN_PATIENCE_MS / 1000} s; ending it at once (SIGQUIT).`,
    );
    signalPostmasters(server.cluster, "SIGQUIT");
  }, SHUTDOWN_PATIENCE_MS);
  server.process.letGo();
  // Besides, in case somebody killed the part of the guard that would send it.
  signalPostmasters(server.cluster, "SIGINT");
  await server.process.ended;
  clearTimeout(timer);
  // Normally nothing is left; but somebody may have killed the guard in place of the server.
  await endServers(server.cluster, server.warn);
  await server.cleanUp();
}

function signalPostmasters(cluster: string, signal: "SIGINT" | "SIGQUIT"): void {
  for (const { pid, isPostmaster } of listServerProcesses(cluster))
    if (isPostmaster) signalServer(pid, signal);
}

async function describeDeath({ log, logStart }: RunningServer, ending: string): Promise<string> {
  // The last line may be written a moment after the guard is gone.
  await sleep(20);
  const tail = await log.readTail(logStart).catch(() => "(the log cannot be read)");
  return `PostgreSQL ended by itself (${ending}). The last lines of ${log.path}:\n${tail}`;
}
