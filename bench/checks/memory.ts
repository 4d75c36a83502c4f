import { readdirSync, readFileSync } from "node:fs";

const SAMPLE_EVERY_MS = 2_000;

/** Ids of all processes. */
const listProcesses = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/** Bytes of memory that count as a process's own (PSS); 0 where it ended meanwhile or is the kernel's. */
function readPss(pid: string): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // It has ended.
  }
}

/** Looks every two seconds at all processes that weren't there at the beginning; `end` gives the highest sum in bytes. */
export function watchMemory(): { end(): number } {
  const former = new Set(listProcesses());
  let peak = 0;
  const timer = setInterval(() => {
    const own = listProcesses().filter((pid) => !former.has(pid));
    peak = Math.max(
      peak,
      own.reduce((sum, pid) => sum + readPss(pid), 0),
    );
  }, SAMPLE_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}
