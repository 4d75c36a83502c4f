import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openArchive } from "../archive.ts";
import { makeSite, openPool } from "../fixture.ts";
import { parseManifest } from "../manifest.ts";
import type { RemotePlace } from "./daily-backup.ts";
import { selectRuns } from "./run-store.ts";
import { createDailyWork, createSchedule, findLatestDue, findNextDue, type Schedule } from "./schedule.ts";
import { checkBackups } from "./state.ts";

const TIME = { hour: 3, minute: 30 };
const HOUR_MS = 3_600_000;

let site: Awaited<ReturnType<typeof makeSite>>;
let clock: { now: number };
let mails: Record<string, unknown>[];
let schedule: Schedule;
let pool: ReturnType<typeof openPool>;
let remote: RemotePlace | undefined;
const backups = () => join(site.dataDir, "backups");
const now = () => new Date(clock.now);

function open(backupDir?: string): Schedule {
  const options = { pool, dataDir: site.dataDir, backupDir, remote, appVersion: "0.1.0", now };
  return createSchedule({
    pool,
    works: [createDailyWork({ ...options, time: TIME })],
    findOwner: async () => ({ recipient: "owner@foyer.example", language: "en" }),
    mail: { queue: async (_db, mail) => void mails.push(mail) },
    log: { info: () => undefined, error: () => undefined },
    now,
  });
}

beforeEach(async () => {
  site = await makeSite();
  // A pool with room for the lock and the work, as the product has one.
  pool = openPool(site.connection, 2);
  clock = { now: new Date(2026, 10, 20, 12).getTime() };
  [mails, remote] = [[], undefined];
  schedule = open();
});
afterEach(async () => {
  await schedule.close();
  await pool.end();
  await site.close();
});

const listZips = async () => (await readdir(backups())).sort();
const readRuns = async () => (await selectRuns(site.pool, 50)).reverse();
const check = () => checkBackups({ db: site.pool, time: TIME, folder: backups(), now });

test("what is due is the latest time of day that has passed, in the server's own time", () => {
  expect(findLatestDue(new Date(2026, 10, 20, 12), TIME)).toEqual(new Date(2026, 10, 20, 3, 30));
  expect(findLatestDue(new Date(2026, 10, 20, 3, 29), TIME)).toEqual(new Date(2026, 10, 19, 3, 30));
  expect(findNextDue(new Date(2026, 10, 20, 3, 30), TIME)).toEqual(new Date(2026, 10, 21, 3, 30));
});

test("one that was missed is made at the first look, a whole one that only its owner reads, and no second one that day", async () => {
  await schedule.look();
  await schedule.look();
  const [name = "", ...others] = await listZips();
  expect(others).toEqual([]);
  expect(((await stat(join(backups(), name))).mode & 0o777).toString(8)).toBe("600");
  const archive = await openArchive(join(backups(), name));
  expect(parseManifest(await archive.readManifest()).tables.length).toBeGreaterThan(20);
  archive.close();
  expect(await readRuns()).toMatchObject([{ kind: "backup", status: "done", file: name, message: null }]);
  clock.now += 16 * HOUR_MS;
  await schedule.look();
  expect(await listZips()).toHaveLength(2);
  expect(await check()).toMatchObject({
    status: "healthy",
    reason: "backup_good",
    vars: { when: "2026-11-21 04:00", next: "2026-11-22 03:30", where: backups() },
  });
  expect(mails).toEqual([]);
});

test("one process at a time makes one", async () => {
  const other = open();
  await Promise.all([schedule.look(), other.look()]);
  await other.close();
  expect(await listZips()).toHaveLength(1);
});

test("a site that nobody put anything into is not backed up", async () => {
  await site.pool.query("TRUNCATE account_user, audit_entry CASCADE");
  await schedule.look();
  expect(await readRuns()).toEqual([]);
});

test("a failure leaves nothing half, is told once, tried again after an hour, and told when it is over", async () => {
  const disk = join(site.dataDir, "disk");
  schedule = open(disk);
  await schedule.look();
  expect(await readRuns()).toMatchObject([
    { status: "failed", message: expect.stringContaining("Is its disk mounted?") },
  ]);
  expect(await check()).toMatchObject({ status: "critical", reason: "backup_failed", vars: { when: "–" } });
  await schedule.look();
  expect(await readRuns()).toHaveLength(1);
  clock.now += HOUR_MS;
  await schedule.look();
  expect(await readRuns()).toHaveLength(2);
  expect(mails).toMatchObject([
    { kind: "backup_alarm", what: "backup", state: "failed", recipient: "owner@foyer.example" },
  ]);

  clock.now += HOUR_MS;
  schedule = open();
  await schedule.look();
  expect(mails.slice(1)).toMatchObject([{ what: "backup", state: "works" }]);
  clock.now += 24 * HOUR_MS;
  await schedule.look();
  expect(mails).toHaveLength(2);
});

test("a process that was killed leaves a draft, which goes, and a run that is called failed", async () => {
  await schedule.look();
  const [name = ""] = await listZips();
  await writeFile(join(backups(), `${name}.0a1b2c3d.part`), "half");
  await writeFile(join(backups(), "mine.part"), "of somebody");
  await site.pool.query("INSERT INTO site_backup (kind, status, began_at) VALUES ('backup', 'running', $1)", [
    new Date(clock.now),
  ]);
  clock.now += 24 * HOUR_MS;
  await schedule.look();
  expect(await listZips()).toEqual([name, expect.stringMatching(/^daily-/), "mine.part"]);
  expect((await readRuns()).map(({ status }) => status)).toEqual(["done", "failed", "done"]);
});

test("a stop in its middle leaves neither file nor run", async () => {
  const work = createDailyWork({
    pool,
    dataDir: site.dataDir,
    backupDir: undefined,
    remote,
    appVersion: "0.1.0",
    now,
    time: TIME,
  });
  const begun = Promise.withResolvers<void>();
  const slow = createSchedule({
    pool,
    works: [
      {
        ...work,
        async run(stop) {
          begun.resolve();
          await new Promise((resolve) => stop.addEventListener("abort", resolve));
          return work.run(stop);
        },
      },
    ],
    findOwner: async () => undefined,
    mail: { queue: async () => undefined },
    log: { info: () => undefined, error: () => undefined },
    now,
  });
  const looking = slow.look();
  await begun.promise;
  await slow.close();
  await looking;
  expect(await readRuns()).toEqual([]);
  expect(await listZips()).toEqual([]);
});

test("old ones go, of those alone that this site made", async () => {
  await schedule.look();
  const [first = ""] = await listZips();
  const foreign = "daily-20200101T033000Z.zip";
  await writeFile(join(backups(), foreign), "another site's");
  for (let day = 0; day < 8; day++) {
    clock.now += 24 * HOUR_MS;
    await schedule.look();
  }
  const zips = await listZips();
  expect(zips[0]).toBe(foreign);
  expect(zips).not.toContain(first);
  const runs = await readRuns();
  expect(runs.filter(({ removed_at }) => removed_at === null).map(({ file }) => file)).toEqual(zips.slice(1));
});

test("a copy goes to the other place, under the same retention; one that can't is a failure with the backup in place", async () => {
  const there = new Map<string, number>();
  let fault: Error | undefined;
  remote = {
    title: "sftp://host/path",
    async put(file, name) {
      if (fault) throw fault;
      there.set(name, (await stat(file)).size);
    },
    list: async () => [...there.keys()],
    remove: async (name) => void there.delete(name),
  };
  schedule = open();
  for (let day = 0; day < 9; day++) {
    await schedule.look();
    clock.now += 24 * HOUR_MS;
  }
  expect([...there.keys()].sort()).toEqual(await listZips());
  expect(await check()).toMatchObject({ vars: { where: `${backups()}, sftp://host/path` } });
  fault = new Error("The host is away.");
  await schedule.look();
  const last = (await readRuns()).at(-1);
  expect(last).toMatchObject({
    status: "failed",
    message: expect.stringMatching(
      /^daily-.* was written, and could not be copied to .*: The host is away\.$/,
    ),
  });
  expect(await listZips()).toContain(last?.file);
});

test("health says when there is none yet, when the last one is old, and that they are off", async () => {
  expect(await check()).toMatchObject({ status: "unknown", reason: "backup_none" });
  await schedule.look();
  clock.now += 51 * HOUR_MS;
  expect(await check()).toMatchObject({ status: "critical", reason: "backup_late" });
  expect(await checkBackups({ db: site.pool, time: undefined, folder: "", now })).toMatchObject({
    reason: "backup_off",
  });
});

test("a clock that went back makes one again, instead of waiting for weeks", async () => {
  clock.now += 45 * 24 * HOUR_MS;
  await schedule.look();
  clock.now -= 45 * 24 * HOUR_MS;
  await schedule.look();
  expect(await listZips()).toHaveLength(2);
  await rm(backups(), { recursive: true });
});
