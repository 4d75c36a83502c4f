import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `npm run bench:build`: what a server needs to build a fresh clone of HEAD, and what lies on its disk afterwards: packages
 * installed, pages built, and what only building needs taken away again (`npm run build -- --to-run`).
 */
const BUILD_BAR_MB = 600;
const SIZE_BAR_MB = 500;
const SAMPLE_EVERY_MS = 100;
const REPOSITORY = join(import.meta.dirname, "..");

/** Megabytes of memory of a process and of all that it started (PSS); 0 for one that has ended. */
function readMemory(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = /^PPid:\s+(\d+)/m.exec(readOrNothing(`/proc/${name}/status`))?.[1];
    parents.set(Number(name), Number(parent ?? 0));
  }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  const ours = [...parents.keys()].filter(isOurs);
  const kilobytes = ours.map((pid) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readOrNothing(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // It has ended.
  }
}

const folder = mkdtempSync(join(tmpdir(), "foyer-build-"));
chmodSync(folder, 0o755);
const clone = join(folder, "foyer");
try {
  execFileSync("git", ["clone", "--quiet", REPOSITORY, clone]);
  const child = spawn("npm", ["run", "--silent", "build", "--", "--to-run"], {
    cwd: clone,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const peaks = new Map<string, number>();
  let step = "Starting";
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    step = /^… (.+)$/m.exec(String(chunk))?.[1] ?? step;
  });
  const timer = setInterval(() => {
    peaks.set(step, Math.max(peaks.get(step) ?? 0, readMemory(child.pid ?? 0)));
  }, SAMPLE_EVERY_MS);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`the build ended with exit code ${code}`);
  const size = Number(/^\d+/.exec(execFileSync("du", ["-sm", clone], { encoding: "utf8" }))?.[0]);
  const peak = Math.max(...peaks.values());
  console.table([
    ...[...peaks].map(([name, mb]) => ({ figure: `peak memory: ${name}`, mb: Math.round(mb), bar: "" })),
    { figure: "peak memory of all", mb: Math.round(peak), bar: `≤ ${BUILD_BAR_MB}` },
    { figure: "the clone, ready to run", mb: size, bar: `≤ ${SIZE_BAR_MB}` },
  ]);
  process.exitCode = peak <= BUILD_BAR_MB && size <= SIZE_BAR_MB ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
