import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Figure } from "./socket/figure.ts";
import { measureFuzz } from "./socket/measure-fuzz.ts";
import { measureIdle } from "./socket/measure-idle.ts";
import { measureJoin } from "./socket/measure-join.ts";
import { measureMessages } from "./socket/measure-messages.ts";
import { measureSlow } from "./socket/measure-slow.ts";

/**
 * `npm run bench:socket [-- --only messages,join,idle,slow,fuzz --seed 1 --frames 100000 --profile]`: what the socket costs
 * the server, which is a process of its own behind its own rules; clients are bare sockets in this one. With `--profile`,
 * `messages` names the server's hottest functions, and its figures are those of a profiled server.
 * Bars in time were set on two shared cores: a machine with load of its own misses them.
 */
const PARTS = ["messages", "join", "idle", "slow", "fuzz"] as const;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: PARTS.join(",") },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    frames: { type: "string", default: "100000" },
    profile: { type: "boolean", default: false },
  },
});

function requireCount(name: "seed" | "frames"): number {
  const count = Number(options[name]);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} wants a whole number above 0`);
  return count;
}

const MEASURES: Readonly<Record<string, () => Promise<Figure[]>>> = {
  messages: () => measureMessages(options.profile),
  join: measureJoin,
  idle: measureIdle,
  slow: measureSlow,
  fuzz: () => measureFuzz({ seed: requireCount("seed"), frames: requireCount("frames") }),
};

const names = options.only.split(",");
const unknown = names.filter((name) => !(name in MEASURES));
if (unknown.length > 0) throw new Error(`--only knows ${PARTS.join(", ")}; not ${unknown.join(", ")}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(MEASURES)) {
  if (!names.includes(name)) continue;
  console.log(`${name} … (load of the machine ${loadavg()[0]?.toFixed(2)})`);
  figures.push(...(await measure()));
}
console.log(`\n${cpus().length} cores, Node ${process.version}`);
for (const { name, bar, measured, phoenix, isMet } of figures)
  console.log(
    `${isMet ? "met   " : "MISSED"} ${name}\n       bar ${bar}${phoenix ? `, Phoenix ${phoenix}` : ""}; measured ${measured}`,
  );
process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
