/** Loudness that the scale begins and ends with, in dBFS. */
const FLOOR_DB = -60;
const CEILING_DB = -10;

/** Root mean square of samples between −1 and 1. */
export function toRms(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}

/** Per cent of the scale from −60 to −10 dBFS. The plain mean of a spectrum calls faint hiss speech (spec/decisions.md). */
export function toLevelPercent(rms: number): number {
  if (rms <= 0) return 0;
  const share = (20 * Math.log10(rms) - FLOOR_DB) / (CEILING_DB - FLOOR_DB);
  return Math.round(100 * Math.min(1, Math.max(0, share)));
}

/** The level at which speaking stops, for one at which it starts: 15 for 25. */
export function toStopPercent(startPercent: number): number {
  return Math.round(startPercent * 0.6);
}

/** Silence that lasts shorter than this is a pause between words. */
export const HOLD_MS = 300;

/** Decides whether somebody speaks. Opens at the start level; closes when it has been below the stop level for `HOLD_MS`. */
export class SpeakingGate {
  isOpen = false;
  #quietSince: number | undefined;

  /** @returns whether it is another state now. */
  take(levelPercent: number, startPercent: number, nowMs: number): boolean {
    if (!this.isOpen) {
      this.isOpen = levelPercent >= startPercent;
      this.#quietSince = undefined;
      return this.isOpen;
    }
    if (levelPercent >= toStopPercent(startPercent)) {
      this.#quietSince = undefined;
      return false;
    }
    this.#quietSince ??= nowMs;
    if (nowMs - this.#quietSince < HOLD_MS) return false;
    this.close();
    return true;
  }

  close(): void {
    this.isOpen = false;
    this.#quietSince = undefined;
  }
}
