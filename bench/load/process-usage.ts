import { readFileSync } from "node:fs";

/** `getconf CLK_TCK` is 100 on every Linux that Node runs on. */
const CPU_TICK_US = 10_000;

export interface Memory {
  /** Resident bytes, and the process's share of them where pages are shared. */
  rss: number;
  pss: number;
}

/** User and system time of a process so far, in steps of 10 ms. */
export function readCpuUs(pid: number): number {
  // proc_pid_stat(5): after the name in brackets, utime and stime are the 12th and 13th field.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_US;
}

export function readMemory(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1024;
  return { rss: read("Rss"), pss: read("Pss") };
}
