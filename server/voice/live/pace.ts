import type { Timers } from "../timing.ts";

/** Something that is told at once, and then at most once in an interval, with what holds by then. */
export interface Pace {
  /** There is something to tell. */
  touch(): void;
  /** What waits is dropped. */
  stop(): void;
}

export function createPace(timers: Timers, intervalMs: number, tell: () => void): Pace {
  let freeAt = 0;
  let cancel: (() => void) | undefined;

  function run(): void {
    cancel = undefined;
    freeAt = timers.now() + intervalMs;
    tell();
  }

  return {
    touch() {
      if (cancel) return;
      const waitMs = freeAt - timers.now();
      if (waitMs <= 0) run();
      else cancel = timers.after(waitMs, run);
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
