import { expect, test } from "@jest/globals";
import { toExtremes, withGaps } from "./series.ts";
import { toTimeTicks } from "./time-ticks.ts";

const START = Date.parse("2026-11-22T08:03:00.000Z");
const MINUTE_MS = 60_000;
const toPoint = (minute: number, value: number | null = 1) => ({
  at: new Date(START + minute * MINUTE_MS).toISOString(),
  value,
});

test("a line breaks where nothing was measured for more than two steps", () => {
  const points = [toPoint(0), toPoint(5), toPoint(15), toPoint(40)];
  expect(withGaps(points, 5 * MINUTE_MS).map(({ value }) => value)).toEqual([1, 1, 1, null, 1]);
});

test("extremes leave out what was not measured", () => {
  expect(toExtremes([toPoint(0, 4), toPoint(5, null), toPoint(10, 2)])).toEqual({
    min: 2,
    max: 4,
    mean: 3,
    last: 2,
    count: 2,
  });
  expect(toExtremes([toPoint(0, null)])).toBeUndefined();
});

test.each([
  [20, 5],
  [24 * 60, 360],
  [3, 5],
])("ticks over %d minutes stand on round times, %d minutes apart", (length, step) => {
  const ticks = toTimeTicks([toPoint(0), toPoint(length)]);
  expect(ticks.length).toBeLessThanOrEqual(6);
  for (const tick of ticks) expect(new Date(tick).getMinutes() % Math.min(step, 60)).toBe(0);
  for (const [index, tick] of ticks.slice(1).entries())
    expect(tick - (ticks[index] ?? 0)).toBe(step * MINUTE_MS);
});

test("no points have no ticks", () => expect(toTimeTicks([])).toEqual([]));
