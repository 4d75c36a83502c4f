import "./lib/require-node-20.mjs";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { pickSpecs } from "../test/e2e/pick-specs.mjs";
import { BROWSER_STEP, PLAYWRIGHT_REPORT, toBrowserStep } from "./lib/check/browser-tests.mjs";
import { listChangedFiles } from "./lib/check/changed-files.mjs";
import {
  BUILD_STEP,
  IMPORTS_REPORT,
  IMPORTS_STEP,
  JEST_REPORT,
  JEST_STEP,
  LINT_STEP,
  SIZES_STEP,
  STRUCTURE_STEP,
  TYPES_STEP,
  toJestStep,
  UNUSED_STEP,
} from "./lib/check/check-steps.mjs";
import { findRelatedTests } from "./lib/check/related-tests.mjs";
import { runQueues } from "./lib/check/run-queues.mjs";
import { makeScratchFolder } from "./lib/check/scratch-folder.mjs";
import { countJest, countPlaywright, getCounts, sumCounts, toCountLine } from "./lib/check/test-counts.mjs";
import { ensureTestServers } from "./lib/check/test-servers.mjs";
import { listJestTests, listPlaywrightTests, readTests, toTimeReport } from "./lib/check/time-report.mjs";
import { Fault } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { CACHE } from "./lib/paths.mjs";

/**
 * `npm test`: sets up what is missing, runs every check, all tests and the browser tests. `npm test -- --changed [base]`: what the
 * changes since a commit (HEAD unless named) can have broken. The last line on stdout is `N passed, N failed`
 * (`, N skipped` where there are); a failed step that is no test counts as one failure.
 */
const startedAt = performance.now();
const counts = [];
try {
  const base = readBase(process.argv.slice(2));
  mkdirSync(CACHE, { recursive: true });
  for (const report of [JEST_REPORT, PLAYWRIGHT_REPORT, IMPORTS_REPORT]) rmSync(report, { force: true });
  await ensureInstalled();
  await ensureTestServers();
  process.env.TMPDIR = makeScratchFolder();
  const queues = base === undefined ? planAll() : await planChanged(base);
  const steps = await runQueues(queues, { isAll: true });
  counts.push(...steps.map(countStep));
  const tests = [
    ...readTests(JEST_REPORT, listJestTests),
    ...readTests(PLAYWRIGHT_REPORT, listPlaywrightTests),
  ];
  process.stderr.write(toTimeReport({ tests, steps, wholeMs: performance.now() - startedAt }));
} catch (error) {
  process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`);
  counts.push({ passed: 0, failed: 1, skipped: 0 });
}

const sum = sumCounts(counts);
process.stdout.write(`${toCountLine(sum)}\n`);
process.exitCode = sum.failed > 0 ? 1 : 0;

/** The commit behind `--changed`; undefined where everything is to be run. */
function readBase(words) {
  if (words.length === 0) return undefined;
  const [option, base = "HEAD", ...more] = words;
  if (option !== "--changed" || more.length > 0) {
    throw new Fault("npm test takes nothing, or: npm test -- --changed [commit]");
  }
  return base;
}

/** Two queues for two cores. Playwright has two workers and Jest three, whose tests wait for a part of their time: the one that is left alone keeps both busy. */
function planAll() {
  return [
    [LINT_STEP, TYPES_STEP, UNUSED_STEP, IMPORTS_STEP, STRUCTURE_STEP, toJestStep()],
    [BUILD_STEP, SIZES_STEP, toBrowserStep()],
  ];
}

async function planChanged(base) {
  const files = await listChangedFiles(base);
  process.stderr.write(`${files.length} changed files since ${base}\n`);
  return [
    [IMPORTS_STEP, STRUCTURE_STEP, toJestStep(() => pickTests(files))],
    [LINT_STEP, TYPES_STEP, ...toBrowserQueue(pickSpecs(files))],
  ];
}

/** Only the import rules' report knows; where they could not be checked, everything is run. */
function pickTests(files) {
  if (!existsSync(IMPORTS_REPORT)) return undefined;
  const { modules } = JSON.parse(readFileSync(IMPORTS_REPORT, "utf8"));
  return findRelatedTests(files, modules);
}

function toBrowserQueue(specs) {
  return specs.length > 0 ? [BUILD_STEP, toBrowserStep(specs)] : [];
}

function countStep({ name, hasFailed }) {
  if (name === JEST_STEP) return getCounts(JEST_REPORT, countJest, hasFailed);
  if (name === BROWSER_STEP) return getCounts(PLAYWRIGHT_REPORT, countPlaywright, hasFailed);
  return { passed: 0, failed: hasFailed ? 1 : 0, skipped: 0 };
}
