import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ROOT } from "../paths.mjs";
import { listJestTests, listPlaywrightTests, toTimeReport } from "./time-report.mjs";

test("Jest's report gives tests with their files; one that was skipped took no time", () => {
  const assertionResults = [
    { fullName: "a list is sorted", duration: 1500 },
    { fullName: "a list is empty", duration: null },
  ];
  expect(
    listJestTests({ testResults: [{ name: join(ROOT, "server/list.test.ts"), assertionResults }] }),
  ).toEqual([
    { file: "server/list.test.ts", name: "a list is sorted", ms: 1500 },
    { file: "server/list.test.ts", name: "a list is empty", ms: 0 },
  ]);
});

test("Playwright's suites hold suites", () => {
  const spec = (title, duration) => ({ file: "cv.spec.ts", title, tests: [{ results: [{ duration }] }] });
  const report = { suites: [{ specs: [spec("opens", 20)], suites: [{ specs: [spec("prints", 30)] }] }] };
  expect(listPlaywrightTests(report)).toEqual([
    { file: "cv.spec.ts", name: "prints", ms: 30 },
    { file: "cv.spec.ts", name: "opens", ms: 20 },
  ]);
});

test("the report names the ten slowest, and what each step took", () => {
  const tests = Array.from({ length: 12 }, (_, index) => ({
    file: "a.test.ts",
    name: `test ${index}`,
    ms: index * 1000,
  }));
  const steps = [
    { name: "Types (tsc)", ms: 4_000 },
    { name: "Tests (Jest)", ms: 200_000 },
  ];
  const lines = toTimeReport({ tests, steps, wholeMs: 204_000 }).split("\n");
  expect(lines.slice(0, 2)).toEqual(["Slowest tests", "   11.0 s  a.test.ts: test 11"]);
  expect(lines.filter((line) => line.includes("a.test.ts"))).toHaveLength(10);
  expect(lines).toContain("  200.0 s  Tests (Jest)");
  expect(lines).toContain("  204.0 s  whole");
});
