/** Fewer samples on one side tell nothing. */
const SAMPLES_MIN = 10;
/** A difference up to here is none. */
const STABLE_SHARE = 0.05;

export type Trend = "up" | "down" | "stable" | null;

/** Where a figure goes: its mean against the one before; null while too little is known. */
export function toTrend(
  last: { mean: number | null; count: number },
  before: { mean: number | null; count: number },
): Trend {
  if (last.mean === null || before.mean === null) return null;
  if (last.count < SAMPLES_MIN || before.count < SAMPLES_MIN) return null;
  const difference = last.mean - before.mean;
  if (Math.abs(difference) <= Math.abs(before.mean) * STABLE_SHARE) return "stable";
  return difference > 0 ? "up" : "down";
}
