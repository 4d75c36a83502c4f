import "./lib/require-node-20.mjs";
import { mkdirSync } from "node:fs";
import { IMPORTS_STEP, STRUCTURE_STEP } from "./lib/check/check-steps.mjs";
import { runMain } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { CACHE } from "./lib/paths.mjs";

/** `npm run structure`: the figures of the tree's order alone, and where it is out of order. */
await runMain(async () => {
  mkdirSync(CACHE, { recursive: true });
  await ensureInstalled();
  await IMPORTS_STEP.run();
  await STRUCTURE_STEP.run();
  return 0;
});
