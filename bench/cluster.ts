import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureChanges } from "./cluster/measure-changes.ts";
import { measureKills } from "./cluster/measure-kills.ts";
import { measureLimits } from "./cluster/measure-limits.ts";
import { measureMessages } from "./cluster/measure-messages.ts";
import { measureSoak } from "./cluster/measure-soak.ts";
import { printScaling } from "./cluster/simulate.ts";
import type { Figure } from "./socket/figure.ts";

/**
 * `npm run bench:cluster [-- --only simulate,messages,changes,kills,limits,soak --rounds 50 --redis-restarts 20 --minutes 60 --share 1]`: a site of several
 * processes over PostgreSQL and Redis, all on this machine: ratios and CPU time say more than times. `simulate` measures nothing: it computes, and
 * draws the picture of docs/scaling.md anew, so it has to be named. `share`: of the soak's load.
 */
const MEASURES: Readonly<Record<string, () => Promise<Figure[]>>> = {
  simulate: printScaling,
  messages: measureMessages,
  changes: measureChanges,
  kills: () =>
    measureKills({ rounds: Number(options.rounds), redisRestarts: Number(options["redis-restarts"]) }),
  limits: measureLimits,
  soak: () => measureSoak({ minutes: Number(options.minutes), share: Number(options.share) }),
};

const { values: options } = parseArgs({
  options: {
    only: {
      type: "string",
      default: Object.keys(MEASURES)
        .filter((name) => name !== "simulate")
        .join(","),
    },
    rounds: { type: "string", default: "50" },
    "redis-restarts": { type: "string", default: "20" },
    minutes: { type: "string", default: "60" },
    share: { type: "string", default: "1" },
  },
});
const names = options.only.split(",");
const unknown = names.filter((name) => !(name in MEASURES));
if (unknown.length > 0)
  throw new Error(`--only knows ${Object.keys(MEASURES).join(", ")}; not ${unknown.join(", ")}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(MEASURES)) {
  if (!names.includes(name)) continue;
  console.log(`${name} … (load of the machine ${loadavg()[0]?.toFixed(2)})`);
  figures.push(...(await measure()));
}
console.log(`\n${cpus().length} cores, Node ${process.version}`);
for (const { name, bar, measured, isMet } of figures)
  console.log(`${isMet ? "met   " : "MISSED"} ${name}\n       bar ${bar}; measured ${measured}`);
process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
