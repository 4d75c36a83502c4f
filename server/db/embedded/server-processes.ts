import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** One process that works in a cluster folder. */
export interface ServerProcess {
  pid: number;
  parentPid: number;
  /** The postmaster, to which signals go; false for its children. */
  isPostmaster: boolean;
}

interface ProcessEntry {
  pid: number;
  parentPid: number;
  isZombie: boolean;
  /** Command line; PostgreSQL's children overwrite theirs with `postgres: checkpointer`. */
  args: string[];
  /** undefined where the kernel does not show it (another user's process in a container). */
  workingFolder: string | undefined;
}

const PROGRAMS = /(^|\/)(postgres|initdb)$/;

/** What a process id stands for now; a zombie holds no file, memory or lock any more. */
export function getProcessState(pid: number): "gone" | "zombie" | "alive" {
  const entry = readProcess(pid);
  if (!entry) return "gone";
  return entry.isZombie ? "zombie" : "alive";
}

/**
 * Lists living PostgreSQL processes (and initdb) of a cluster folder, which must be a real path. Recognised by
 * their working folder, by their command line, or as children of one so recognised.
 */
export function listServerProcesses(cluster: string): ServerProcess[] {
  const alive = readProcesses().filter((entry) => !entry.isZombie);
  const found = new Map(alive.filter((entry) => isServer(entry, cluster)).map((entry) => [entry.pid, entry]));
  for (const entry of alive) {
    if (found.has(entry.parentPid) && entry.args[0]?.startsWith("postgres:")) found.set(entry.pid, entry);
  }
  return [...found.values()].map(({ pid, parentPid, args }) => ({
    pid,
    parentPid,
    // A child that was forked this very moment still shows its parent's command line.
    isPostmaster: PROGRAMS.test(args[0] ?? "") && !found.has(parentPid),
  }));
}

function isServer({ args, workingFolder }: ProcessEntry, cluster: string): boolean {
  const program = args[0] ?? "";
  if (program.startsWith("postgres:")) return workingFolder === cluster;
  return PROGRAMS.test(program) && (workingFolder === cluster || args.includes(cluster));
}

function readProcesses(): ProcessEntry[] {
  if (!existsSync("/proc/self/stat")) return readProcessesFromPs();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((name) => readProcess(Number(name))).filter((entry) => entry !== undefined);
}

function readProcess(pid: number): ProcessEntry | undefined {
  if (!existsSync("/proc/self/stat")) return readProcessesFromPs().find((entry) => entry.pid === pid);
  const stat = readOrGetNothing(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const args = readOrGetNothing(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  if (stat === undefined || args === undefined) return undefined;
  // "pid (name) state parent …": the name may itself hold blanks and parentheses.
  const [state, parentPid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parentPid: Number(parentPid),
    isZombie: state === "Z" || state === "X",
    args: args.split("\0"),
    workingFolder: readOrGetNothing(() => readlinkSync(`/proc/${pid}/cwd`)),
  };
}

/** A process may end, or belong to somebody else, between the listing and the reading. */
function readOrGetNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** macOS has no /proc. */
function readProcessesFromPs(): ProcessEntry[] {
  const table = execFileSync("ps", ["-axo", "pid=,ppid=,stat=,command="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const [, pid, parentPid, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || stat === undefined || command === undefined) return [];
    const args = command.startsWith("postgres:") ? [command] : command.split(" ");
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      isZombie: stat.startsWith("Z"),
      args,
      workingFolder: undefined,
    };
  });
}

/** What `postmaster.pid` of a cluster says. A server that was not stopped cleanly leaves it behind. */
export type PostmasterFile =
  | { kind: "absent" }
  | { kind: "garbage" }
  | { kind: "written"; pid: number; socketFolder: string; isReady: boolean };

/** Path of the file by which PostgreSQL itself keeps a second server away. */
function toPostmasterFile(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

/** Reads it. Lines (PostgreSQL's miscadmin.h): pid, data folder, start, port, socket folder, address, shmem, status. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile> {
  let text: string;
  try {
    text = await readFile(toPostmasterFile(cluster), "utf8");
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return { kind: "absent" };
    throw error;
  }
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return { kind: "garbage" };
  return { kind: "written", pid, socketFolder: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" };
}

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
