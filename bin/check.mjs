import "./lib/require-node-20.mjs";
import { Fault, runMain } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runChecks } from "./lib/run-checks.mjs";

/** `npm run check`: everything that needs no browser, up to the first failure; `--all` goes on to the end. */
await runMain(async () => {
  await ensureInstalled();
  const failed = await runChecks({ isAll: process.argv.includes("--all") });
  if (failed.length > 0) throw new Fault(`Failed: ${failed.join(", ")}`);
  return 0;
});
