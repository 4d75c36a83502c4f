import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { watchMemory } from "./checks/memory.ts";

/**
 * `npm run bench:checks [-- --runs 3 --busy 3]`: `npm test` in a fresh clone of HEAD, packages to install included, so many times
 * alone and so many with a busy loop beside it. Memory is the sum of PSS of all processes that came after the start.
 * Bars: 12 minutes alone, 20 with the loop, 10 GB, 0 failed.
 */
const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "3" }, busy: { type: "string", default: "3" } },
});
const REPOSITORY = join(import.meta.dirname, "..");
/** Ends with its parent, however that ends. */
const BUSY_LOOP = "const parent = process.ppid; while (process.ppid === parent);";

interface Run {
  minutes: number;
  counts: string;
  gigabytes: number;
}

async function runChecks(folder: string): Promise<Run> {
  execFileSync("git", ["clone", "--quiet", REPOSITORY, folder]);
  const memory = watchMemory();
  const begin = performance.now();
  const child = spawn("npm", ["test", "--silent"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await once(child, "close");
  const minutes = (performance.now() - begin) / 60_000;
  return { minutes, counts: output.trim().split("\n").at(-1) ?? "", gigabytes: memory.end() / 1e9 };
}

async function measure(isBusy: boolean): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "foyer-checks-"));
  // PostgreSQL runs as somebody else than root.
  chmodSync(folder, 0o755);
  const loop = isBusy ? spawn(process.execPath, ["-e", BUSY_LOOP], { stdio: "ignore" }) : undefined;
  try {
    return await runChecks(join(folder, "foyer"));
  } finally {
    loop?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

const plan = [
  ...Array.from({ length: Number(options.runs) }, () => false),
  ...Array.from({ length: Number(options.busy) }, () => true),
];
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
for (const isBusy of plan) {
  const { minutes, counts, gigabytes } = await measure(isBusy);
  const bar = isBusy ? 20 : 12;
  console.log(
    `${isBusy ? "busy " : "alone"}  ${minutes.toFixed(1)} min (bar ${bar})  ${gigabytes.toFixed(1)} GB (bar 10)  ${counts}`,
  );
}
