import { expect, test } from "@jest/globals";
import {
  buildUtcDays,
  type ChartSeries,
  type StackedSeries,
  toColumns,
  toExtremes,
  toTimeTicks,
  toTotals,
  withGaps,
} from "./series.ts";

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

const VOLUME: StackedSeries = {
  kind: "stack",
  parts: [
    { key: "delivered", label: "Delivered", colour: "success" },
    { key: "bounced", label: "Bounced", colour: "danger" },
  ],
  points: [
    { at: "2026-11-23", values: { delivered: 90, bounced: 10 } },
    { at: "2026-11-24", values: { delivered: 5 } },
    { at: "2026-11-25", values: { delivered: null, bounced: null } },
  ],
  formatValue: String,
  ...buildUtcDays("en"),
};

test("a stack is the sum of its measured parts, and nothing where none was measured", () => {
  expect(toTotals(VOLUME).map(({ value }) => value)).toEqual([100, 5, null]);
});

test("a stack has a column for each part, one value one alone", () => {
  expect(toColumns(VOLUME, "Volume")).toEqual([
    { label: "Delivered", values: [90, 5, null] },
    { label: "Bounced", values: [10, null, null] },
  ]);
  const single: ChartSeries = { ...VOLUME, kind: "bars", points: [toPoint(0, 4)] };
  expect(toColumns(single, "Actions")).toEqual([{ label: "Actions", values: [4] }]);
});

test("a day of UTC is the same day wherever it is read", () => {
  expect(VOLUME.formatTick("2026-11-24")).toBe("Nov 24");
  expect(VOLUME.formatMoment("2026-11-24")).toBe("Tuesday, November 24, 2026");
});
