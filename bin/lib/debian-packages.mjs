import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "./fault.mjs";
import { runCommand } from "./run-command.mjs";
import { runStep } from "./step.mjs";

/** Mirrors fail for moments, and a new machine's own first update may hold apt's lock. */
const ATTEMPTS = 3;
const PAUSE_MS = 5000;
const APT_OPTIONS = ["-o", "DPkg::Lock::Timeout=120"];

/** Whether packages may be installed: root, on Debian. Not on Ubuntu, whose Chromium is a stub for snap. */
export function mayInstall({ uid = process.getuid?.(), release = readRelease() } = {}) {
  return uid === 0 && /^ID=debian$/m.test(release);
}

function readRelease() {
  return existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
}

/** Installs programs, each `{ program, package }`, and shows that it does. Throws a Fault with apt's output where one stays missing. */
export async function installPackages(name, programs) {
  await runStep(`Installing ${name} from Debian`, async () => {
    let output = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (attempt > 1) await sleep(PAUSE_MS);
      const update = await runApt(["update"]);
      const packages = programs.map((each) => each.package);
      const install = await runApt(["install", "-y", "--no-install-recommends", ...packages]);
      if (listMissing(programs).length === 0) return;
      output = update.output + install.output;
    }
    throw new Fault(
      `${output}\n${name} could not be installed in ${ATTEMPTS} attempts; apt's output is above.`,
    );
  });
}

export const listMissing = (programs) => programs.filter(({ program }) => !existsSync(program));

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return runCommand("apt-get", [...APT_OPTIONS, ...args], { env });
}
