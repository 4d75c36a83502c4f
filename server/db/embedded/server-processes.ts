import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

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
