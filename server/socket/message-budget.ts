/** How many messages a client may send: `burst` at once, and `perS` more in each second. */
export class MessageBudget {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #readAt: number;

  constructor(burst: number, perS: number, nowMs: number) {
    this.#burst = burst;
    this.#perMs = perS / 1000;
    this.#left = burst;
    this.#readAt = nowMs;
  }

  /** False where there is none left. */
  take(nowMs: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + (nowMs - this.#readAt) * this.#perMs);
    this.#readAt = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
