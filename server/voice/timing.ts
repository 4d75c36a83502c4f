/** Time as voice rooms use it; tests pass their own. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** @returns what stops it. */
  after(ms: number, run: () => void): () => void;
}

/** A timer keeps no process from ending. */
export const SYSTEM_TIMERS: Timers = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
