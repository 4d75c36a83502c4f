import "./lib/require-node-20.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { runMain } from "./lib/fault.mjs";
import { ensureInstalled } from "./lib/install.mjs";

/** `npm run build`: the same build that `npm start` makes when it is stale. */
await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return 0;
});
