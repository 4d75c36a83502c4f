import { mkdirSync, rmSync } from "node:fs";
import { BUILD_STEPS, JEST_REPORT, JEST_STEP, STATIC_STEPS } from "./check-steps.mjs";
import { Fault } from "./fault.mjs";
import { CACHE } from "./paths.mjs";
import { runStep } from "./step.mjs";

/**
 * Runs every check, cheap ones first, and gives the names of those that failed; a failed step's output goes to stderr.
 * Stops after the first failure (of two that run at a time, the other one ends first) unless `isAll`.
 */
export async function runChecks({ isAll }) {
  mkdirSync(CACHE, { recursive: true });
  rmSync(JEST_REPORT, { force: true });
  const failed = [];
  for (const lanes of [toLanes(STATIC_STEPS, 2), [[JEST_STEP, ...BUILD_STEPS]]]) {
    await Promise.all(lanes.map((steps) => runLane(steps, failed, isAll)));
  }
  return failed;
}

async function runLane(steps, failed, isAll) {
  for (const step of steps) {
    if (failed.length > 0 && !isAll) return;
    try {
      await runStep(step.name, step.run);
    } catch (error) {
      failed.push(step.name);
      process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`);
    }
  }
}

function toLanes(steps, count) {
  return Array.from({ length: count }, (_, lane) => steps.filter((_step, index) => index % count === lane));
}
