import { readFileSync } from "node:fs";

/**
 * V8's flags of the server process; benches measure with the same. A young generation of 4 MB instead of 16, and an old one
 * that is cleaned once it has grown by half instead of fourfold: 124 MiB (PSS) under the load of bench/admin.ts instead of 250.
 */
export const NODE_FLAGS = JSON.parse(readFileSync(new URL("./node-flags.json", import.meta.url), "utf8"));
