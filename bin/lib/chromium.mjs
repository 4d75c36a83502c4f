import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "./fault.mjs";
import { runCommand } from "./run-command.mjs";
import { runStep } from "./step.mjs";

/** The same engine without windows: a context costs it a fifth of the processor time (0.2 s, not 1 s). */
const HEADLESS = { program: "/usr/bin/chromium-headless-shell", package: "chromium-headless-shell" };
const WHOLE = "/usr/bin/chromium";

/** Mirrors fail for moments, and a new machine's own first update may hold apt's lock. */
const ATTEMPTS = 3;
const PAUSE_MS = 5000;
const APT_OPTIONS = ["-o", "DPkg::Lock::Timeout=120"];

/**
 * The path of a Chromium for the browser tests: $FOYER_CHROMIUM, else Debian's headless one, which root installs where it is
 * missing, else Debian's whole one. Playwright's own download is not used: it is no package that a lock file pins. Throws a Fault that says what to do.
 */
export async function ensureChromium(env = process.env) {
  if (env.FOYER_CHROMIUM) {
    if (existsSync(env.FOYER_CHROMIUM)) return env.FOYER_CHROMIUM;
    throw new Fault(`FOYER_CHROMIUM names ${env.FOYER_CHROMIUM}, and there is no such file.`);
  }
  if (existsSync(HEADLESS.program)) return HEADLESS.program;
  if (!isDebian() || process.getuid?.() !== 0) {
    if (existsSync(WHOLE)) return WHOLE;
    throw new Fault(
      `The browser tests need Chromium. On Debian run "apt-get install chromium-headless-shell" as root; elsewhere install Chromium ` +
        "or Chrome and name its program in FOYER_CHROMIUM. Then run the tests again.",
    );
  }
  await runStep("Installing Chromium from Debian", installChromium);
  return HEADLESS.program;
}

/** Not Ubuntu: its package of that name is a stub for snap. */
function isDebian() {
  return existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

async function installChromium() {
  let output = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 1) await sleep(PAUSE_MS);
    const update = await runApt(["update"]);
    const install = await runApt(["install", "-y", "--no-install-recommends", HEADLESS.package]);
    if (existsSync(HEADLESS.program)) return;
    output = update.output + install.output;
  }
  throw new Fault(
    `${output}\nChromium could not be installed in ${ATTEMPTS} attempts; apt's output is above.`,
  );
}

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return runCommand("apt-get", [...APT_OPTIONS, ...args], { env });
}
