import { cpus } from "node:os";
import { parseArgs } from "node:util";
import nodeFlags from "../bin/lib/node-flags.json" with { type: "json" };
import type { Bench, Figure } from "./admin/bench.ts";
import { measureBulk, measureJob } from "./admin/bulk-steps.ts";
import { measureExports } from "./admin/exports.ts";
import { measureFilter, measureLists, measurePages } from "./admin/list-steps.ts";
import { watchMemory } from "./admin/memory.ts";
import { measureOne, measureWrites } from "./admin/object-steps.ts";
import { openBench } from "./admin/open-bench.ts";
import { measureSearch } from "./admin/search-steps.ts";

/**
 * `npm run bench:admin [-- --only lists,search --rows 1000000 --users 50000 --seconds 10 --database-url postgres://…]`: the
 * console's API over a million articles, ten connections, tokens checked, every write audited; beside it the same rows by SQL
 * alone from as many connections. Server, load and PostgreSQL are processes of their own on the same cores.
 *
 * Bars in requests per second were set on one machine. Where SQL alone is slower here, they go down with it, never up:
 * lists, filter and search each by their own SQL, single objects by that of the list.
 */
const STEPS: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  lists: measureLists,
  pages: measurePages,
  filter: measureFilter,
  search: measureSearch,
  one: measureOne,
  writes: measureWrites,
  bulk: measureBulk,
  job: measureJob,
  exports: measureExports,
};

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(STEPS).join(",") },
    rows: { type: "string", default: "1000000" },
    users: { type: "string", default: "50000" },
    seconds: { type: "string", default: "10" },
    "database-url": { type: "string" },
    "node-flags": { type: "string", default: nodeFlags.join(" ") },
  },
});

function requireCount(name: "rows" | "users" | "seconds"): number {
  const count = Number(options[name]);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} wants a whole number above 0`);
  return count;
}

const names = options.only.split(",");
const unknown = names.filter((name) => !(name in STEPS));
if (unknown.length > 0)
  throw new Error(`--only knows ${Object.keys(STEPS).join(", ")}; not ${unknown.join(", ")}`);

const rows = requireCount("rows");
console.log(`Seeding ${rows.toLocaleString("en")} articles …`);
const { bench, close } = await openBench({
  rows,
  users: requireCount("users"),
  seconds: requireCount("seconds"),
  databaseUrl: options["database-url"],
  nodeFlags: options["node-flags"].split(" ").filter(Boolean),
});
const memory = watchMemory(bench.pid);
try {
  const { rows: version } = await bench.pool.query<{ server_version: string }>("SHOW server_version");
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(STEPS)) {
    if (!names.includes(name)) continue;
    console.log(`${name} …`);
    figures.push(...(await measure(bench)));
  }
  figures.push(memory.toFigure());
  console.log(`\nPostgreSQL ${version[0]?.server_version}, ${cpus().length} cores, Node ${process.version}`);
  console.table(
    figures.map(({ name, bar, measured, plain, isMet }) => ({
      figure: name,
      bar,
      measured,
      "SQL alone": plain ?? "",
      "": isMet === undefined ? "" : isMet ? "met" : "MISSED",
    })),
  );
  const missed = figures.filter(({ isMet }) => isMet === false).map(({ name }) => name);
  console.log(missed.length === 0 ? "all bars met" : `MISSED: ${missed.join("; ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  memory.stop();
  await close();
}
