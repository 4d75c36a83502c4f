import "./lib/require-node-20.mjs";
import { runMain } from "./lib/fault.mjs";
import { runTypeScript } from "./lib/run-typescript.mjs";

/** `node bin/run.mjs <file> [arguments]`: runs one of the repository's TypeScript files, such as bench/admin.ts. */
await runMain(() => runTypeScript(process.argv.slice(2)));
