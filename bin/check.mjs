import "./lib/require-node-20.mjs";
import { mkdirSync } from "node:fs";
import {
  BUILD_STEP,
  IMPORTS_STEP,
  LINT_STEP,
  SIZES_STEP,
  STRUCTURE_STEP,
  TYPES_STEP,
  toJestStep,
  UNUSED_STEP,
} from "./lib/check/check-steps.mjs";
import { runQueues } from "./lib/check/run-queues.mjs";
import { Fault, runMain } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { CACHE } from "./lib/paths.mjs";

/** `npm run check`: everything that needs no browser, up to the first failure; `--all` goes on to the end. */
await runMain(async () => {
  mkdirSync(CACHE, { recursive: true });
  await ensureInstalled();
  const queues = [
    [LINT_STEP, TYPES_STEP, UNUSED_STEP, IMPORTS_STEP, STRUCTURE_STEP, toJestStep()],
    [BUILD_STEP, SIZES_STEP],
  ];
  const steps = await runQueues(queues, { isAll: process.argv.includes("--all") });
  const failed = steps.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
  if (failed.length > 0) throw new Fault(`Failed: ${failed.join(", ")}`);
  return 0;
});
