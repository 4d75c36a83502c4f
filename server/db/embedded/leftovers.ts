import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { readPostmasterFile, toPostmasterFile } from "./postmaster-file.ts";
import { getProcessState, listServerProcesses } from "./server-processes.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Fast shutdown writes a checkpoint first, which takes long on a slow disk. */
const SURVIVOR_TIMEOUT_MS = 60_000;
const SIGNAL_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 25;

/**
 * Clears what an earlier run left in a cluster: servers that outlived it are stopped, and a `postmaster.pid`
 * that would wrongly keep PostgreSQL from starting is removed. Call it with the folder's lock held.
 *
 * @returns whether the last server ended without a clean shutdown, so that recovery follows
 */
export async function clearLeftovers(cluster: string, warn: (message: string) => void): Promise<boolean> {
  await endServers(cluster, warn);
  const file = await readPostmasterFile(cluster);
  if (file.kind === "absent") return false;
  const state = file.kind === "written" ? getProcessState(file.pid) : "garbage";
  // PostgreSQL itself takes the file of a dead process over, with one more check that no backend is left.
  if (state === "gone") return true;
  // No server lives here, so the pid is a zombie, or a stranger that was given the same number (usual in a
  // new container), or the file is damaged. PostgreSQL would refuse each of them.
  warn(`Removing a stale ${toPostmasterFile(cluster)} (${state}).`);
  await rm(toPostmasterFile(cluster), { force: true });
  return true;
}

/** Stops every server of this cluster by fast shutdown and waits until all its processes are gone. */
export async function endServers(cluster: string, warn: (message: string) => void): Promise<void> {
  const startedAt = performance.now();
  let nextSignalMs = 0;
  for (;;) {
    const survivors = listServerProcesses(cluster);
    if (survivors.length === 0) return;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > SURVIVOR_TIMEOUT_MS) throw toStuckError(cluster, survivors[0]?.pid);
    if (elapsedMs >= nextSignalMs) {
      if (nextSignalMs === 0)
        warn(`A PostgreSQL of an earlier run is still using ${cluster}; waiting for it to stop.`);
      // Repeated, because a server that has only just begun ignores the signal.
      for (const { pid, isPostmaster } of survivors) if (isPostmaster) signalServer(pid, "SIGINT");
      nextSignalMs = elapsedMs + SIGNAL_EVERY_MS;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** SIGINT is fast shutdown, SIGQUIT ends at once; a server that is gone already is fine. */
export function signalServer(pid: number, signal: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (getErrorCode(error) === "ESRCH") return;
    throw new DatabaseStartError(
      `PostgreSQL (process ${pid}) of another user is using this data folder. Stop it first: sudo kill -INT ${pid}`,
      { cause: error },
    );
  }
}

function toStuckError(cluster: string, pid: number | undefined): DatabaseStartError {
  return new DatabaseStartError(
    `PostgreSQL (process ${pid}) of an earlier run is still using ${cluster} and does not stop.\n` +
      `Look at its log; \`kill -QUIT ${pid}\` ends it at once (the next start recovers).`,
  );
}
