import { type ProgressWatch, toStallFault, type WatchProgress } from "./progress.ts";

export const MINUTE_MS = 60_000;

/** Watches as `watchProgress` does, by a clock that goes on when the test says so. */
export function createTestWatch(): { watch: WatchProgress; pass(ms: number): void } {
  const open = new Set<{ leftMs: number; end(): void }>();
  return {
    watch(limitMs): ProgressWatch {
      const stalled = new AbortController();
      const entry = { leftMs: limitMs, end: () => stalled.abort(toStallFault(limitMs)) };
      open.add(entry);
      return {
        signal: stalled.signal,
        moved() {
          entry.leftMs = limitMs;
        },
        close: () => void open.delete(entry),
      };
    },
    pass(ms) {
      for (const entry of open) {
        entry.leftMs -= ms;
        if (entry.leftMs <= 0) entry.end();
      }
    },
  };
}
