import type { LighthouseRun } from "./run-lighthouse.ts";

export type Figure = Exclude<keyof LighthouseRun, "failed" | "agenticBrowsing">;

/** What a page has to reach: at least `min`, or at most `max`. */
const BARS: Readonly<Partial<Record<Figure, { min: number } | { max: number }>>> = {
  performance: { min: 100 },
  accessibility: { min: 100 },
  bestPractices: { min: 100 },
  seo: { min: 100 },
  lcpMs: { max: 950 },
  tbtMs: { max: 100 },
  cls: { max: 0 },
};

/** The middle one of each figure by itself. */
export function toMedian(runs: readonly LighthouseRun[], figure: Figure): number {
  const values = runs.map((run) => run[figure]).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Names of figures whose median misses its bar. */
export function findMissed(runs: readonly LighthouseRun[]): string[] {
  return Object.entries(BARS).flatMap(([name, bar]) => {
    const median = toMedian(runs, name as Figure); // the keys of BARS
    return ("min" in bar ? median >= bar.min : median <= bar.max) ? [] : [name];
  });
}
