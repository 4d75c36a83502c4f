import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installPackages, listMissing, mayInstall } from "../debian-packages.mjs";
import { Fault } from "../fault.mjs";

/** What the site can use beside itself: a relay and a mixer of sound for voice rooms, a mail server that mail comes back from, and what its
 * processes share. */
const SERVERS = [
  { program: "/usr/bin/turnserver", package: "coturn" },
  { program: "/usr/bin/janus", package: "janus" },
  { program: "/usr/bin/redis-server", package: "redis-server" },
  {
    program: "/usr/lib/postfix/sbin/master",
    package: "postfix",
    // Debian keeps one mail server: to install another would take it away.
    butNotBeside: "/usr/sbin/sendmail",
    // No mail server for the machine: the test has a configuration of its own.
    answers: "postfix postfix/main_mailer_type select No configuration",
  },
];

/** Debian starts what it installs; ports of the site's own servers would be taken. */
const RUNS_SYSTEMD = "/run/systemd/system";

/** Answers to what Debian asks when it installs, so that it need not ask. */
function answerBefore(lines) {
  try {
    execFileSync("debconf-set-selections", { input: `${lines.join("\n")}\n` });
  } catch (error) {
    throw new Fault(`Debian's questions could not be answered before it asks: ${error.message}`);
  }
}

/**
 * Sees to it that the servers are there that some tests need: root installs them on Debian. Elsewhere, and where that
 * fails, it says so: those tests are skipped, and counted as skipped.
 */
export async function ensureTestServers({
  servers = SERVERS,
  canInstall = mayInstall(),
  install = installPackages,
  answer = answerBefore,
  write = (text) => process.stderr.write(text),
} = {}) {
  const missing = listMissing(servers);
  if (missing.length === 0) return;
  const wanted = missing.filter(
    ({ butNotBeside }) => butNotBeside === undefined || !existsSync(butNotBeside),
  );
  const names = wanted.map((server) => server.package);
  const answers = wanted.flatMap((server) => server.answers ?? []);
  try {
    if (canInstall && answers.length > 0) answer(answers);
    if (canInstall && wanted.length > 0) await install(names.join(" and "), wanted);
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
