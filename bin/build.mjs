import "./lib/require-node-20.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { runMain } from "./lib/fault.mjs";
import { ensureInstalled, installToRun, removeBuildPackages } from "./lib/install.mjs";
import { FOR_RUNNING } from "./lib/install-state.mjs";

/**
 * `npm run build`: the same build that `npm start` makes when it is stale. `-- --to-run` leaves only the packages that running
 * needs: 410 MB in place of 980. `-- --to-run-on arm64 <folder>` leaves all, and installs into a folder what running needs on another
 * machine's processor.
 */
await runMain(async () => {
  await ensureInstalled(FOR_RUNNING);
  await ensureBuilt();
  const [option, processor, folder] = process.argv.slice(2);
  if (option === "--to-run") await removeBuildPackages();
  if (option === "--to-run-on") await installToRun(processor, folder);
  return 0;
});
