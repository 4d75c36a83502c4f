import type { AnySeries } from "./series.ts";

const MINUTE_MS = 60_000;
/** Steps that people count time in, up to half a day. */
const TICK_STEPS_MS = [5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
const TICKS_MAX = 5;

/** Round local times between the first and the last point, in milliseconds. */
export function toTimeTicks(points: AnySeries["points"]): number[] {
  const begin = Date.parse(points[0]?.at ?? "");
  const end = Date.parse(points.at(-1)?.at ?? "");
  if (Number.isNaN(begin) || Number.isNaN(end)) return [];
  const step =
    TICK_STEPS_MS.find((candidate) => (end - begin) / candidate <= TICKS_MAX) ?? 24 * 60 * MINUTE_MS;
  // Full hours of the reader's clock, which may be half an hour off the world's.
  const offset = new Date(begin).getTimezoneOffset() * MINUTE_MS;
  const ticks: number[] = [];
  for (let at = Math.ceil((begin - offset) / step) * step + offset; at <= end; at += step) ticks.push(at);
  return ticks;
}
