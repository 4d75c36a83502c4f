import type { Timers } from "./timers.ts";

/** Takes so many at once, and so many a second after that. */
export class Budget {
  readonly #burst: number;
  readonly #perS: number;
  readonly #timers: Timers;
  #left: number;
  #at: number;

  constructor(timers: Timers, { burst, perS }: { burst: number; perS: number }) {
    this.#burst = burst;
    this.#perS = perS;
    this.#timers = timers;
    this.#left = burst;
    this.#at = timers.now();
  }

  /** @returns false where it is spent. */
  take(): boolean {
    const now = this.#timers.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perS);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
