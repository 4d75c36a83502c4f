import { parseArgs } from "node:util";
import { runTorture } from "./durability/torture.ts";

/**
 * `node bench/durability.ts [--rounds 20]`: kill -9 of Node, and of Node plus postmaster, during writes.
 * Prints the figures; exit code 1 when an acknowledged row is lost, a start fails, amcheck finds a fault or a
 * process stays behind.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds wants a whole number above 0");

const startedAt = performance.now();
const report = await runTorture(rounds, (round) => process.stderr.write(`\rround ${round} of ${rounds}`));
process.stderr.write("\n");

const startsMs = report.startMs.toSorted((a, b) => a - b);
const toMs = (value: number | undefined) => (value === undefined ? "–" : `${Math.round(value)} ms`);
const bars = {
  "acknowledged rows or updates lost": report.lost,
  "failed starts": report.failedStarts,
  "amcheck or content faults": report.faults,
  "orphan processes": report.orphans,
};
const lines: [string, string][] = [
  ["rounds", String(report.rounds)],
  ["acknowledged rows", String(report.acknowledgedRows)],
  ["acknowledged updates", String(report.acknowledgedUpdates)],
  ["crash recoveries", String(report.recoveries)],
  ["start, median", toMs(startsMs[Math.floor(startsMs.length / 2)])],
  ["start, slowest", toMs(startsMs.at(-1))],
  [
    "PostgreSQL outlives Node by at most",
    toMs(report.outlivedMs.length ? Math.max(...report.outlivedMs) : undefined),
  ],
  ["duration", `${((performance.now() - startedAt) / 1000).toFixed(1)} s`],
  ...Object.entries(bars).map(([name, found]): [string, string] => [name, `${found.length} (bar 0)`]),
];
for (const [name, value] of lines) console.log(`${name.padEnd(38)}${value}`);
for (const [name, found] of Object.entries(bars)) for (const what of found) console.log(`${name}: ${what}`);
process.exitCode = Object.values(bars).some((found) => found.length > 0) ? 1 : 0;
