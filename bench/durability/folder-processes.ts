import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Every process whose command line or working folder names this folder: server, initdb and guard alike. Written
 * apart from the supervisor's own search, so that the one checks the other.
 */
function listFolderProcesses(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const args = readOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      const workingFolder = readOrEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
      const isThere = args.includes(folder) || workingFolder.startsWith(folder);
      return isThere ? [`${pid} ${args.replaceAll("\0", " ").slice(0, 80)}`] : [];
    });
}

/** Processes come and go while the list is read. */
function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** Waits until no process works in the folder; what is still there after `patienceMs` is given back. */
export async function waitForNobody(
  folder: string,
  patienceMs: number,
): Promise<{ waitedMs: number; orphans: string[] }> {
  const startedAt = performance.now();
  for (;;) {
    const orphans = listFolderProcesses(folder);
    const waitedMs = performance.now() - startedAt;
    if (orphans.length === 0 || waitedMs > patienceMs) return { waitedMs, orphans };
    await sleep(20);
  }
}
