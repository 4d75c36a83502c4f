import "./lib/require-node-20.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { runDevServer } from "./lib/dev-server.mjs";
import { runMain } from "./lib/fault.mjs";
import { requireNode24 } from "./lib/find-node.mjs";
import { runForeground, startForeground } from "./lib/foreground.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { FOR_BUILDING, FOR_RUNNING } from "./lib/install-state.mjs";
import { NODE_FLAGS } from "./lib/node-flags.mjs";
import { NODE_COMPILE_CACHE } from "./lib/paths.mjs";

/**
 * `npm start`: installs what is missing, builds what is stale, runs the server. `--dev` (`npm run dev`) leaves the build
 * to Vite inside the server and starts the server again when its files change. Other arguments go to the server.
 */

await runMain(async () => {
  const isDev = process.argv.includes("--dev");
  await ensureInstalled(isDev ? FOR_BUILDING : FOR_RUNNING);
  if (!isDev) await ensureBuilt();

  const node = requireNode24();
  const args = [...NODE_FLAGS, "server/main.ts", ...process.argv.slice(2).filter((arg) => arg !== "--dev")];
  const mode = isDev ? { NODE_ENV: "development", FOYER_DEV: "1" } : { NODE_ENV: "production" };
  // One arena of glibc's: with the default of eight a core the threads' small pieces cost 15 MB more.
  const env = { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: "1", ...process.env, ...mode, FOYER_LAUNCHED: "1" };
  const options = { env, ipc: true };
  return isDev
    ? runDevServer(() => startForeground(node, args, options))
    : runForeground(node, args, options);
});
