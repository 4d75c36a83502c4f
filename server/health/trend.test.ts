import { expect, test } from "@jest/globals";
import { toTrend } from "./sampler.ts";

const of = (mean: number | null, count = 60) => ({ mean, count });

test.each([
  ["up", of(106), of(100)],
  ["down", of(94), of(100)],
  ["stable", of(105), of(100)],
  ["stable", of(95), of(100)],
  ["stable", of(0), of(0)],
  ["up", of(1), of(0)],
  [null, of(106, 9), of(100)],
  [null, of(106), of(100, 9)],
  [null, of(null), of(100)],
  [null, of(106), of(null)],
] as const)("a trend is %s for %j after %j", (trend, last, before) => {
  expect(toTrend(last, before)).toBe(trend);
});
