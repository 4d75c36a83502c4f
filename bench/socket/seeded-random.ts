/** The same numbers from the same seed, so that a fault can be met again. */
export interface SeededRandom {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
}

/** xorshift32 (Marsaglia, 2003). */
export function createSeededRandom(seed: number): SeededRandom {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed + 1, 0x9e_37_79_b1) >>> 0 || 1;

  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state;
  }
  const below = (bound: number) => next() % bound;

  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (values) => values[below(values.length)] ?? values[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
