import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "../test-folder.mjs";
import { countJest, countPlaywright, getCounts, sumCounts, toCountLine } from "./test-counts.mjs";

const JEST = {
  numPassedTests: 7,
  numFailedTests: 1,
  numRuntimeErrorTestSuites: 2,
  numPendingTests: 1,
  numTodoTests: 1,
};
let folder;

beforeEach(() => {
  folder = makeTestFolder({
    "jest.json": JSON.stringify({ ...JEST, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }),
  });
});
afterEach(() => folder.remove());

test("a Jest file that does not load is a failure", () => {
  expect(countJest(JEST)).toEqual({ passed: 7, failed: 3, skipped: 2 });
});

test("a flaky browser test has passed, a fault outside of tests has failed", () => {
  const stats = { expected: 4, flaky: 1, unexpected: 2, skipped: 3 };
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3, skipped: 3 });
});

test("a runner that failed without a failed test counts as one failure", () => {
  const file = join(folder.root, "jest.json");
  expect(getCounts(file, countJest, true)).toEqual({ passed: 7, failed: 1, skipped: 2 });
  expect(getCounts(file, countJest, false)).toEqual({ passed: 7, failed: 0, skipped: 2 });
});

test("a runner that died before its report counts as one failure", () => {
  expect(getCounts(join(folder.root, "none.json"), countJest, true)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test("no test at all is a failure", () => {
  expect(sumCounts([])).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("the last line names skipped tests only where there are any", () => {
  expect(toCountLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(toCountLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});
