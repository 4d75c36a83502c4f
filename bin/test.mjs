import "./lib/require-node-20.mjs";
import { PLAYWRIGHT_REPORT, runBrowserTests } from "./lib/browser-tests.mjs";
import { JEST_REPORT, JEST_STEP } from "./lib/check-steps.mjs";
import { Fault } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import { countJest, countPlaywright, getCounts, sumCounts, toCountLine } from "./lib/test-counts.mjs";

/**
 * `npm test`: sets up what is missing, runs every check and the browser tests. The last line on stdout is
 * `N passed, N failed` (`, N skipped` where there are); a failed step that is no test counts as one failure.
 */
const counts = [];
try {
  await ensureInstalled();
  const failed = await runChecks({ isAll: true });
  counts.push(getCounts(JEST_REPORT, countJest, failed.includes(JEST_STEP.name)));
  for (const name of failed) if (name !== JEST_STEP.name) counts.push({ passed: 0, failed: 1, skipped: 0 });
  counts.push(getCounts(PLAYWRIGHT_REPORT, countPlaywright, !(await tryBrowserTests())));
} catch (error) {
  report(error);
  counts.push({ passed: 0, failed: 1, skipped: 0 });
}

const sum = sumCounts(counts);
process.stdout.write(`${toCountLine(sum)}\n`);
process.exitCode = sum.failed > 0 ? 1 : 0;

async function tryBrowserTests() {
  try {
    await runBrowserTests();
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

function report(error) {
  process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`);
}
