import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "./fault.mjs";
import { requireNode24 } from "./find-node.mjs";
import { hashFiles } from "./hash-files.mjs";
import { ensureInstalled } from "./install.mjs";
import { isRunning } from "./is-running.mjs";
import { CACHE, DIST, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";
import { runStep } from "./step.mjs";

/** Everything that decides what a build holds; package.json for its `imports`. */
const INPUTS = [
  "src",
  "resources",
  "providers",
  "locales",
  "contract",
  "public",
  "index.html",
  "vite.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

const STAMP = ".foyer-build";

const isTest = (file) => /\.test\.[cm]?[jt]sx?$/.test(file);

/**
 * Builds dist/ where it is missing or stale. The build goes to a folder of its own, gets its stamp there, and is moved
 * into place by rename, so that a killed build never counts as a whole one. Throws a Fault with Vite's output.
 */
export async function buildIfStale(showStep = (_label, work) => work()) {
  const hash = hashFiles(ROOT, INPUTS, isTest);
  if (getStamp() === hash) return;
  await ensureInstalled();
  await showStep("Building the pages", () => build(hash));
}

export const ensureBuilt = () => buildIfStale(runStep);

function getStamp() {
  const file = join(DIST, STAMP);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Vite reads it before the server does, and would show a stack. */
function requireReadableSettings() {
  try {
    accessSync(join(ROOT, ".env"), constants.R_OK);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw new Fault(
      `The file .env can't be read (${error.code}). Give it to the account that runs Foyer (chown), with mode 600.`,
    );
  }
}

/**
 * The bundler holds 5,000 modules at once. As it comes it takes 1,050 MB for 9 s, and so 525 MB for 13 s: freed memory goes back
 * at once, one thread works, V8 cleans earlier (`npm run bench:build`).
 */
const SMALL_MEMORY = {
  MIMALLOC_PURGE_DELAY: "0",
  MIMALLOC_ARENA_EAGER_COMMIT: "0",
  RAYON_NUM_THREADS: "1",
  TOKIO_WORKER_THREADS: "1",
};
const V8_FLAGS = ["--max-old-space-size=320", "--max-semi-space-size=4"];

async function build(hash) {
  requireReadableSettings();
  removeLeftovers();
  const out = join(CACHE, `build-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const { code, output } = await runCommand(
    requireNode24(),
    [...V8_FLAGS, "node_modules/vite/bin/vite.js", "build", "--app"],
    {
      env: { ...SMALL_MEMORY, ...process.env, NODE_ENV: "production", FOYER_OUT_DIR: out },
    },
  );
  if (code !== 0) {
    rmSync(out, { recursive: true, force: true });
    throw new Fault(`${output}\nThe build failed (exit code ${code}); Vite's output is above.`);
  }
  writeFileSync(join(out, STAMP), hash);
  swapIn(out);
}

function swapIn(out) {
  const old = join(CACHE, `old-build-${process.pid}`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(out, DIST);
  rmSync(old, { recursive: true, force: true });
}

/** Folders of builds that were killed. One that still runs keeps its folder. */
function removeLeftovers() {
  if (!existsSync(CACHE)) return;
  for (const name of readdirSync(CACHE)) {
    const pid = /^(?:old-)?build-(\d+)$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid), "node")) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
