import "./lib/require-node-20.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { runMain } from "./lib/fault.mjs";
import { ensureInstalled, removeBuildPackages } from "./lib/install.mjs";
import { FOR_RUNNING } from "./lib/install-state.mjs";

/**
 * `npm run build`: the same build that `npm start` makes when it is stale. `-- --to-run` leaves only the packages that running
 * needs: 410 MB in place of 980.
 */
await runMain(async () => {
  await ensureInstalled(FOR_RUNNING);
  await ensureBuilt();
  if (process.argv.includes("--to-run")) await removeBuildPackages();
  return 0;
});
