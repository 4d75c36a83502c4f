import { expect, test } from "@jest/globals";
import { findMissed, toMedian } from "./bars.ts";
import type { LighthouseRun } from "./run-lighthouse.ts";

const GOOD: LighthouseRun = {
  performance: 100,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  agenticBrowsing: 100,
  fcpMs: 800,
  lcpMs: 900,
  tbtMs: 40,
  cls: 0,
  benchmarkIndex: 2_000,
  failed: [],
};

test("a figure is the middle one of its runs, whatever their order", () => {
  const runs = [900, 2_000, 1_100].map((lcpMs) => ({ ...GOOD, lcpMs }));
  expect(toMedian(runs, "lcpMs")).toBe(1_100);
});

test.each<[Partial<LighthouseRun>, string[]]>([
  [{}, []],
  [{ performance: 100, lcpMs: 950, tbtMs: 100 }, []],
  [{ performance: 99 }, ["performance"]],
  [{ seo: 92, cls: 0.001 }, ["seo", "cls"]],
  [{ lcpMs: 951, tbtMs: 101 }, ["lcpMs", "tbtMs"]],
])("runs of %j miss %j", (figures, missed) => {
  const run = { ...GOOD, ...figures };
  expect(findMissed([run, run, GOOD])).toEqual(missed);
});
