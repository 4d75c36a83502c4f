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

/** Something that is published at once, and then at most once in an interval, with what holds by then. */
export interface Pace {
  /** There is something to publish. */
  touch(): void;
  /** What waits is dropped. */
  stop(): void;
}

export function createPace(timers: Timers, intervalMs: number, publish: () => void): Pace {
  let freeAt = 0;
  let cancel: (() => void) | undefined;

  function run(): void {
    cancel = undefined;
    freeAt = timers.now() + intervalMs;
    publish();
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

export interface Rate {
  burst: number;
  perS: number;
}

/** Of one person, into whatever: a bad network brings all their tabs back a few times in a moment. */
export const JOINS_OF_ONE: Rate = { burst: 40, perS: 2 };

/** Takes so many at once, and so many a second after that; rate-limiter-flexible has windows alone. */
export class Budget {
  readonly #burst: number;
  readonly #perS: number;
  readonly #timers: Timers;
  #left: number;
  #at: number;

  constructor(timers: Timers, { burst, perS }: Rate) {
    this.#burst = burst;
    this.#perS = perS;
    this.#timers = timers;
    this.#left = burst;
    this.#at = timers.now();
  }

  /** @returns false where it is spent. */
  take(): boolean {
    this.#fill();
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  giveBack(): void {
    this.#left = Math.min(this.#burst, this.#left + 1);
  }

  get isFull(): boolean {
    this.#fill();
    return this.#left === this.#burst;
  }

  #fill(): void {
    const now = this.#timers.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perS);
    this.#at = now;
  }
}

/** Between two looks for budgets that are full again: those are forgotten. */
const SWEEP_MS = 60_000;

/** A budget for each key. */
export class Budgets {
  readonly #timers: Timers;
  readonly #byKey = new Map<string, Budget>();
  #sweepAt: number;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#sweepAt = timers.now() + SWEEP_MS;
  }

  /** For the tests. */
  get size(): number {
    return this.#byKey.size;
  }

  /** @returns false where the key's budget is spent. */
  take(key: string, rate: Rate): boolean {
    this.#sweep();
    const budget = this.#byKey.get(key) ?? new Budget(this.#timers, rate);
    this.#byKey.set(key, budget);
    return budget.take();
  }

  /** What was taken last doesn't count. */
  giveBack(key: string): void {
    this.#byKey.get(key)?.giveBack();
  }

  #sweep(): void {
    const now = this.#timers.now();
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_MS;
    for (const [key, budget] of this.#byKey) if (budget.isFull) this.#byKey.delete(key);
  }
}
