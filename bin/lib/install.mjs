import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "./fault.mjs";
import { requireNode24 } from "./find-node.mjs";
import { FOR_BUILDING, FOR_RUNNING, openInstallState } from "./install-state.mjs";
import { NODE_MODULES, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";
import { runStep } from "./step.mjs";
import { checkPrograms } from "./supply.mjs";

/**
 * Not `npm ci`: it refuses a lock file that lacks some platform's packages. `--no-save` reads the lock file and leaves
 * it as it is, so a start never makes the clone dirty. The two `--include` outweigh NODE_ENV=production and `omit` in
 * somebody's npm settings: the build needs the development packages, Node and PostgreSQL are optional ones. Three downloads at a
 * time: npm unpacks what has come in memory, and takes 660 MB in place of 1,030.
 */
const NPM_ARGS = [
  "install",
  "--no-save",
  "--package-lock",
  "--ignore-scripts",
  "--include=optional",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--maxsockets=3",
];

/** The one that installs for another processor; Debian's own npm is older than that option. */
const NPM = "npm@11.19.1";

const PRUNE_ARGS = ["prune", "--omit=dev", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];

/** Installs all packages where some that `use` needs are missing, stale or half installed. Throws a Fault with npm's output. */
export async function ensureInstalled(use = FOR_BUILDING) {
  const state = openInstallState(ROOT);
  if (state.isFresh(use)) return;
  await waitForOtherInstall(state);
  if (state.isFresh(use)) return;
  if (state.isHalfDone()) await runStep("Removing half-installed packages", state.removePackages);
  await runStep("Installing packages (a minute or two the first time)", () => installPackages(state));
}

async function waitForOtherInstall(state) {
  const pid = state.getBusyPid();
  if (pid === undefined) return;
  await runStep(`Waiting for another install, process ${pid}`, async () => {
    while (state.getBusyPid() !== undefined) await sleep(500);
  });
}

/** Takes away what only building needs, 560 of 950 MB; a later build fetches it again. Throws a Fault with npm's output. */
export async function removeBuildPackages() {
  const state = openInstallState(ROOT);
  if (state.isFresh(FOR_RUNNING) && !state.isFresh(FOR_BUILDING)) return;
  await runStep("Removing what only building needs", () => runNpm(state, PRUNE_ARGS, FOR_RUNNING));
}

/**
 * Installs into a folder what running needs on Linux with glibc, for `amd64` or `arm64`, as images call them: what is built here may
 * run elsewhere. Throws a Fault with npm's output.
 */
export async function installToRun(processor, folder) {
  if (!["amd64", "arm64"].includes(processor) || !folder)
    throw new Fault("Say for which processor and into which folder: amd64 /running, or arm64 /running.");
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(ROOT, name), join(folder, name));
  const cpu = processor === "amd64" ? "x64" : processor;
  const platform = ["--os=linux", `--cpu=${cpu}`, "--libc=glibc"];
  const args = ["exec", "--yes", `--package=${NPM}`, "--", "npm", ...NPM_ARGS, "--omit=dev", ...platform];
  await runStep(`Installing what running needs, for ${processor}`, async () => {
    const { code, output } = await runCommand("npm", [...args, `--prefix=${folder}`]);
    if (code !== 0)
      throw new Fault(
        `${output}\nnpm could not install Foyer's packages for ${processor} (exit code ${code}).`,
      );
    await checkPrograms(join(folder, "node_modules"));
  });
}

const installPackages = (state) => runNpm(state, [...NPM_ARGS, "--include=dev"], FOR_BUILDING);

/** SIGKILL: npm goes on unpacking for up to two minutes after a gentler signal, and the next start begins anew anyway. */
async function runNpm(state, args, use) {
  const { code, output } = await runCommand("npm", args, { onStart: state.begin, stopWith: "SIGKILL" });
  state.end();
  if (code !== 0) {
    throw new Fault(
      `${output}\nnpm could not ${args[0]} Foyer's packages (exit code ${code}); its output is above.`,
    );
  }
  await checkPrograms(NODE_MODULES);
  requireNode24();
  state.markFresh(use);
}
