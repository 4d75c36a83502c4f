import type { Figure } from "../mail/figure.ts";
import type { Memory } from "./site.ts";

const MEGABYTE = 1_000_000;
/** What is loaded, compiled and cached with the first part is no leak. */
const WARM_UP = 0.3;
const BAR_GROWTH_MB = 10;

/** Least squares: how much it grows from the first reading to the last. */
function toGrowth(points: readonly { at: number; value: number }[]): number {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return 0;
  const mean = (pick: (point: { at: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  const both = points.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - meanValue), 0);
  const square = points.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  return (both / square) * (last.at - first.at);
}

/** Whether what is left after collecting garbage stays level behind the warm-up. */
export function toMemoryFigure(name: string, readings: readonly (Memory & { at: number })[]): Figure {
  const warm = readings.slice(Math.floor(readings.length * WARM_UP));
  const [first, last] = [warm[0], warm.at(-1)];
  if (!first || !last) return { name, bar: "", measured: "not read", isMet: false };
  const heap = toGrowth(warm.map(({ at, heapUsed }) => ({ at, value: heapUsed / MEGABYTE })));
  const rss = toGrowth(warm.map(({ at, rss: value }) => ({ at, value: value / MEGABYTE })));
  const toMb = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return {
    name: `${name}, behind the first ${WARM_UP * 100} %`,
    bar: `heap ≤ ${BAR_GROWTH_MB} MB more by its slope`,
    measured:
      `heap ${toMb(first.heapUsed)} → ${toMb(last.heapUsed)}, slope ${heap.toFixed(1)} MB; ` +
      `RSS ${toMb(first.rss)} → ${toMb(last.rss)}, slope ${rss.toFixed(1)} MB`,
    isMet: heap <= BAR_GROWTH_MB,
  };
}
