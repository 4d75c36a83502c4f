import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { ROOT } from "../paths.mjs";

const SLOWEST = 10;

const toSeconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;

/** Tests of a Jest `--json` report: `{ file, name, ms }`. */
export function listJestTests(report) {
  return report.testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(ROOT, path),
      name: fullName,
      ms: duration ?? 0,
    })),
  );
}

/** Tests of a Playwright json report, in the same shape; a suite holds suites. */
export function listPlaywrightTests({ suites = [] }) {
  return suites.flatMap((suite) => [
    ...listPlaywrightTests(suite),
    ...(suite.specs ?? []).map(({ file, title, tests }) => ({
      file,
      name: title,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
  ]);
}

/** The tests of a report, or none where the runner wrote no report. */
export const readTests = (file, list) =>
  existsSync(file) ? list(JSON.parse(readFileSync(file, "utf8"))) : [];

/**
 * What ends a run: the slowest tests, and the wall time of every step. Steps of two queues overlap, so that their sum
 * is more than the whole.
 */
export function toTimeReport({ tests, steps, wholeMs }) {
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return [
    ...(slowest.length > 0 ? ["Slowest tests"] : []),
    ...slowest.map(({ file, name, ms }) => `${toSeconds(ms)}  ${file}: ${name}`),
    "Where the time went",
    ...steps.map(({ name, ms }) => `${toSeconds(ms)}  ${name}`),
    `${toSeconds(wholeMs)}  whole`,
    "",
  ].join("\n");
}
