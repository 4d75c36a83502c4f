import { existsSync } from "node:fs";
import { installPackages, listMissing, mayInstall } from "./debian-packages.mjs";
import { Fault } from "./fault.mjs";

/** What voice rooms can use beside the site: a relay, and a mixer of sound. */
const SERVERS = [
  { program: "/usr/bin/turnserver", package: "coturn" },
  { program: "/usr/bin/janus", package: "janus" },
];

/** Debian starts what it installs; ports of the site's own servers would be taken. */
const RUNS_SYSTEMD = "/run/systemd/system";

/**
 * Sees to it that the servers are there that some tests of voice rooms need: root installs them on Debian. Elsewhere, and where that
 * fails, it says so: those tests are skipped, and counted as skipped.
 */
export async function ensureVoiceServers({
  servers = SERVERS,
  canInstall = mayInstall(),
  install = installPackages,
  write = (text) => process.stderr.write(text),
} = {}) {
  const missing = listMissing(servers);
  if (missing.length === 0) return;
  const names = missing.map((server) => server.package);
  try {
    if (canInstall) await install(names.join(" and "), missing);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    write(`${error.message}\n`);
  }
  const left = listMissing(missing).map((server) => server.package);
  if (left.length > 0) {
    write(
      `Tests that need ${left.join(" and ")} are skipped. On Debian, as root: apt-get install ${left.join(" ")}\n`,
    );
  } else if (existsSync(RUNS_SYSTEMD)) {
    write(
      `Debian runs what it installs. The tests start their own: systemctl disable --now ${names.join(" ")}\n`,
    );
  }
}
