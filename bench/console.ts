import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import nodeFlags from "../bin/lib/node-flags.json" with { type: "json" };
import type { Figure } from "./admin/bench.ts";
import { openBench } from "./admin/open-bench.ts";
import { openBrowser } from "./console/browser.ts";
import { measureList, measurePermissions } from "./console/list-steps.ts";
import { measureTyping } from "./console/typing-steps.ts";

/**
 * `npm run bench:console [-- --rows 1000000 --only list,permissions,typing]`: the built console in Debian's Chromium over a
 * model of a million rows. Times are the page's own, on shared cores: compare medians, and look at what else runs.
 */
const STEPS = { list: measureList, permissions: measurePermissions, typing: measureTyping };

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    only: { type: "string", default: Object.keys(STEPS).join(",") },
  },
});
const rows = Number(options.rows);
if (!Number.isSafeInteger(rows) || rows < 1) throw new Error("--rows wants a whole number above 0");
const names = options.only.split(",");
const unknown = names.filter((name) => !(name in STEPS));
if (unknown.length > 0) throw new Error(`--only knows ${Object.keys(STEPS).join(", ")}`);

console.log(`Seeding ${rows.toLocaleString("en")} articles …`);
const { bench, close } = await openBench({
  rows,
  users: 1_000,
  seconds: 1,
  databaseUrl: undefined,
  nodeFlags,
  distDir: join(import.meta.dirname, "../dist"),
});
const browser = await openBrowser();
try {
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(STEPS)) {
    if (!names.includes(name)) continue;
    console.log(`${name} …`);
    figures.push(...(await measure(bench, browser)));
  }
  console.log(`\nChromium ${browser.version()}, ${cpus().length} cores, Node ${process.version}`);
  for (const { name, bar, measured, isMet } of figures)
    console.log(`${isMet ? "met   " : "MISSED"}  ${name}\n        bar ${bar}; measured ${measured}`);
  process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
} finally {
  await browser.close();
  await close();
}
