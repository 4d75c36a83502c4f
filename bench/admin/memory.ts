import { type Memory, readMemory } from "../load/process-usage.ts";
import type { Figure } from "./bench.ts";

const EVERY_MS = 250;
const BAR_BYTES = 200 * 1024 * 1024;
const toMb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** Looks at a process's memory all the time: what counts is its highest, not what is left of it at the end. */
export function watchMemory(pid: number) {
  const rest = readMemory(pid);
  const peak: Memory = { ...rest };
  const timer = setInterval(() => {
    const now = readMemory(pid);
    peak.rss = Math.max(peak.rss, now.rss);
    peak.pss = Math.max(peak.pss, now.pss);
  }, EVERY_MS);
  return {
    stop: () => clearInterval(timer),
    toFigure: (): Figure => ({
      name: "server memory under load, database apart",
      bar: "≤ 200 MiB",
      measured: `peak RSS ${toMb(peak.rss)}, PSS ${toMb(peak.pss)}; at rest ${toMb(rest.rss)}, ${toMb(rest.pss)}`,
      isMet: peak.pss <= BAR_BYTES,
    }),
  };
}
