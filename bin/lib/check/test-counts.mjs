import { existsSync, readFileSync } from "node:fs";

const NONE = { passed: 0, failed: 0, skipped: 0 };

/**
 * Counts of a Jest `--json` report. A file that does not even load holds no tests for Jest, and counts as one failure.
 */
export function countJest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts of a Playwright json report. A flaky test passed in the end; `errors` are faults outside of any test. */
export function countPlaywright({ stats, errors = [] }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}

/**
 * Reads one runner's report. A runner that failed has at least one failure, whatever its report says, also where it
 * died before it wrote one.
 */
export function getCounts(file, count, hasFailed) {
  const counts = existsSync(file) ? count(JSON.parse(readFileSync(file, "utf8"))) : NONE;
  return hasFailed && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** The sum of several counts. No test at all is a failure: something kept them from being found. */
export function sumCounts(all) {
  const sum = { ...NONE };
  for (const counts of all) for (const key of Object.keys(sum)) sum[key] += counts[key];
  return sum.passed + sum.failed === 0 ? { ...sum, failed: 1 } : sum;
}

export function toCountLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
