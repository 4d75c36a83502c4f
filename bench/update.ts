import { loadavg, tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Outcome, sendRequests } from "./update/requests.ts";
import { Scratch } from "./update/scratch.ts";

/**
 * `sudo npm run bench:update [-- --port 4480 --folder /tmp]`: installs HEAD as a version, sends 20 requests a second, and lets
 * `foyer update` install a newer one, then one that migrates the database and whose health is red: it is taken back.
 * systemd is played by a script; all else is real. Ten minutes and 3 GB of disk.
 */
const { values: options } = parseArgs({
  options: { port: { type: "string", default: "4480" }, folder: { type: "string", default: tmpdir() } },
});
const AWAY_BAR_S = 5;
const ENOUGH_ANSWERS = 40;
/** What a site writes itself while it runs, and the alarm by which a restore holds the mail that waited. */
const OF_THE_SITE = new Set(["audit_entry", "site_backup", "health_sample", "mail_alarm"]);

if (process.getuid?.() !== 0) throw new Error("Only root updates a service: sudo npm run bench:update");
const scratch = new Scratch(options.folder, Number(options.port));
try {
  scratch.release("v1000.0.0", {});
  await scratch.install();
  const visitors = sendRequests(Number(options.port));
  while (visitors.countAnswers() < ENOUGH_ANSWERS) await sleep(100);
  // Nothing is backed up of a site without an owner.
  const owner = await scratch.foyer("create-superuser", "--username", "ada", "--email", "ada@example.org");
  if (owner.code !== 0) throw new Error("the site has no owner");

  const restart = async () => {
    const begin = performance.now();
    await scratch.systemctl("stop");
    await scratch.systemctl("start");
    const answers = visitors.countAnswers();
    while (visitors.countAnswers() < answers + ENOUGH_ANSWERS) await sleep(100);
    return {
      seconds: Math.round((performance.now() - begin) / 1000),
      load: loadavg()[0] ?? 0,
      seen: await visitors.finish(begin),
    };
  };
  // The first start filled the database and the cache of compiled modules: this one is as any other.
  const plain = await restart();

  const update = async () => {
    const begin = performance.now();
    const { code, output } = await scratch.foyer("update");
    const seconds = Math.round((performance.now() - begin) / 1000);
    return { code, output, seconds, load: loadavg()[0] ?? 0, seen: await visitors.finish(begin) };
  };
  scratch.release("v1000.1.0", { "package.json": (text) => text.replace('"0.1.0"', '"1000.1.0"') });
  const good = await update();
  const isInstalled = good.code === 0 && scratch.readVersion() === "v1000.1.0";

  scratch.releaseWithMigration("v1000.2.0", `UPDATE "cv_skill" SET "label" = '{"en": "lost"}';`, {
    "server/health/routes.ts": (text) => text.replace("? 200 : 503", "? 503 : 503"),
  });
  const before = await scratch.readData();
  const red = await update();
  const after = await scratch.readData();
  visitors.stop();
  const isBack =
    red.code !== 0 &&
    red.output.includes("the former version runs again") &&
    scratch.readVersion() === "v1000.1.0";
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const lost = changed.filter((name) => !OF_THE_SITE.has(name));

  const toRow = (
    figure: string,
    { seconds, load, seen }: { seconds: number; load: number; seen: Outcome },
  ) => ({
    figure,
    "longest without an answer, s": seen.awayS.toFixed(1),
    requests: seen.requests,
    failed: seen.failed,
    faults: JSON.stringify(seen.faults),
    "all of it, s": seconds,
    "load of the machine": load.toFixed(1),
  });
  console.table([
    toRow("a stop and a start, nothing new", plain),
    toRow("a newer version", good),
    toRow("one whose health is red", red),
  ]);
  console.table([
    { figure: `the newer one: at most ${AWAY_BAR_S} s`, seen: good.seen.awayS <= AWAY_BAR_S },
    { figure: "the newer one runs", seen: isInstalled },
    { figure: "the red one is taken back", seen: isBack },
    { figure: `tables and files that are as before, of ${after.size}`, seen: after.size - changed.length },
    {
      figure: "others, which the site writes itself",
      seen: changed.filter((n) => OF_THE_SITE.has(n)).join(),
    },
    { figure: "lost or changed", seen: lost.join() || "none" },
  ]);
  process.exitCode = good.seen.awayS <= AWAY_BAR_S && isInstalled && isBack && lost.length === 0 ? 0 : 1;
} finally {
  await scratch.remove();
}
