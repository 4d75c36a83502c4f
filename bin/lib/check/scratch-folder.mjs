import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "../is-running.mjs";

/** Linux keeps what is under it in memory. */
const MEMORY_DISK = "/dev/shm";
const NAME = `foyer-npm-test-${process.getuid?.() ?? ""}-`;
/** The tests' databases and sites, and a fresh clone with its packages, several times over. */
const NEEDED_BYTES = 6 * 2 ** 30;

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES && process.availableMemory() >= 2 * NEEDED_BYTES;
  } catch {
    return false; // not Linux
  }
}

/**
 * A folder for all that a run of the tests makes and throws away, which goes when this process ends, and when the next run begins
 * where this one was killed. In memory where there is room: the files of a database that each test file copies and drops cost ext4 a
 * sixth of both cores, because it looks for names that were not freed just now.
 */
export function makeScratchFolder() {
  const parent = hasRoom(MEMORY_DISK) ? MEMORY_DISK : tmpdir();
  for (const name of readdirSync(parent)) {
    if (name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length)), "node")) {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
  const folder = join(parent, `${NAME}${process.pid}`);
  mkdirSync(folder);
  // Root's database and picture processes run as other accounts.
  chmodSync(folder, 0o1777);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
