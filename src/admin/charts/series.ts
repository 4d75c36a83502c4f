/** One measured value; null where nothing was measured. */
export interface ChartPoint {
  /** ISO day or moment. */
  at: string;
  value: number | null;
}

/** What the points are, and how they are told in words. */
export interface ChartSeries {
  /** `bars`: one per day, from zero. `area`: a value that changes all the time. */
  kind: "bars" | "area";
  points: readonly ChartPoint[];
  formatValue: (value: number) => string;
  /** The same on the axis, where there is little room; else `formatValue`. */
  formatAxis?: (value: number) => string;
  /** A point's time as the axis shows it, short; and exactly. */
  formatTick: (at: string) => string;
  formatMoment: (at: string) => string;
  /** Highest value of the axis where there is a natural one, such as 1 for a share. */
  max?: number;
  /** Line that a value should stay below. */
  limit?: { value: number; label: string };
}

/** Smallest, largest, mean and last of the measured values; undefined without any. */
export function toExtremes(points: readonly ChartPoint[]) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  if (last === undefined) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { min: Math.min(...values), max: Math.max(...values), mean, last, count: values.length };
}

/** Times between two points beyond this many of the usual steps were not measured. */
const GAP_STEPS = 2;

/** Puts a point without a value where nothing was measured, so that no line is drawn across. */
export function withGaps(points: readonly ChartPoint[], stepMs: number): ChartPoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before) return [point];
    const beforeMs = Date.parse(before.at);
    if (Date.parse(point.at) - beforeMs <= GAP_STEPS * stepMs) return [point];
    return [{ at: new Date(beforeMs + stepMs).toISOString(), value: null }, point];
  });
}
