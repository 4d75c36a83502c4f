import "./lib/require-node-20.mjs";
import { runMain } from "./lib/fault.mjs";
import { FOR_RUNNING } from "./lib/install-state.mjs";
import { runTypeScript } from "./lib/run-typescript.mjs";

/** `npm run foyer -- <command>`: the command line, beside a running server or without one. */
await runMain(() => runTypeScript(["server/cli.ts", ...process.argv.slice(2)], FOR_RUNNING));
