import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { createLocalLeases, type Leases } from "#server/db/leases/lease.ts";
import { createSharedLeases } from "#server/db/leases/shared-leases.ts";
import { asLogOwner } from "#test/database.ts";
import { openArchive } from "../archive.ts";
import { canEncryptFor, decryptFile } from "../encryption.ts";
import { makeSite, openPool } from "../fixture.ts";
import { parseManifest } from "../manifest.ts";
import type { RemotePlace } from "../remote/address.ts";
import { createCopyWork, listCopies } from "./copy.ts";
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
let place: RemotePlace | undefined;
let recipient: string | undefined;
const backups = () => join(site.dataDir, "backups");
const now = () => new Date(clock.now);

function open(
  backupDir?: string,
  leases: Pick<Leases, "keep"> = createLocalLeases(),
  isShared = false,
): Schedule {
  const options = { pool, dataDir: site.dataDir, backupDir, appVersion: "0.1.0", isShared, now };
  const copies = place ? [createCopyWork({ pool, folder: backupDir ?? backups(), place, recipient })] : [];
  return createSchedule({
    pool,
    leases,
    works: [createDailyWork({ ...options, time: TIME, remote: place?.title }), ...copies],
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
  [mails, place, recipient] = [[], undefined, undefined];
  schedule = open();
});
afterEach(async () => {
  await schedule.close();
  await pool.end();
  await site.close();
});

const listZips = async () => (await readdir(backups())).sort();
const readRuns = async () => (await selectRuns(site.pool, 50)).reverse();
const check = () => checkBackups({ db: site.pool, time: TIME, folder: backups(), remote: place?.title, now });

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

const openLeases = () =>
  createSharedLeases({
    db: site.pool,
    processId: randomUUID(),
    steadyMs: () => 0,
    now: () => new Date(0),
    log: { warn: () => undefined },
  });

test("one process at a time makes one", async () => {
  const processes = [openLeases(), openLeases()];
  const schedules = processes.map((leases) => open(undefined, leases));
  for (const leases of processes) await leases.renew();
  await Promise.all(schedules.map((each) => each.look()));
  for (const each of schedules) await each.close();
  expect(await listZips()).toHaveLength(1);
});

test("what a process was at when it was killed the next one begins anew at once, and only once", async () => {
  const next = openLeases();
  const dead = openLeases();
  dead.keep("backups");
  await dead.renew();
  const other = open(undefined, next);
  await next.renew();
  const begin = () =>
    site.pool.query("INSERT INTO site_backup (kind, status, began_at) VALUES ('backup', 'running', $1)", [
      new Date(clock.now),
    ]);
  await begin();
  // The other one is at it still.
  await other.look();
  expect(await readRuns()).toMatchObject([{ status: "running" }]);
  await site.pool.query("UPDATE work_lease SET expires_at = clock_timestamp()");
  await next.renew();
  await other.look();
  expect((await readRuns()).map(({ status }) => status)).toEqual(["failed", "done"]);

  // What ends its process again and again waits.
  clock.now += 24 * HOUR_MS;
  await begin();
  clock.now += 60_000;
  await site.pool.query("UPDATE site_backup SET status = 'failed' WHERE status = 'running'");
  await begin();
  await other.look();
  expect((await readRuns()).map(({ status }) => status)).toEqual(["failed", "done", "failed", "failed"]);
  clock.now += HOUR_MS;
  await other.look();
  expect((await readRuns()).at(-1)).toMatchObject({ status: "done" });
  await other.close();
});

test("a backup whose process was taken for dead ends in its middle, and is the next one's", async () => {
  const [stalled, next] = [openLeases(), openLeases()];
  const begun = Promise.withResolvers<void>();
  const options = { pool, dataDir: site.dataDir, backupDir: undefined, appVersion: "0.1.0", now };
  const work = createDailyWork({ ...options, time: TIME });
  const slow = createSchedule({
    pool,
    leases: stalled,
    works: [
      {
        ...work,
        async run(signal, file) {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return work.run(signal, file);
        },
      },
    ],
    findOwner: async () => undefined,
    mail: { queue: async () => undefined },
    log: { info: () => undefined, error: () => undefined },
    now,
  });
  await stalled.renew();
  const looking = slow.look();
  await begun.promise;
  await site.pool.query("UPDATE work_lease SET expires_at = clock_timestamp()");
  const other = open(undefined, next);
  await next.renew();
  await stalled.renew();
  await looking;
  await other.look();
  expect((await readRuns()).map(({ status }) => status)).toEqual(["done"]);
  expect(await listZips()).toHaveLength(1);
  await slow.close();
  await other.close();
});

test("a site that nobody put anything into is not backed up", async () => {
  await asLogOwner(site.pool, "TRUNCATE account_user, audit_entry CASCADE");
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
    appVersion: "0.1.0",
    now,
    time: TIME,
  });
  const begun = Promise.withResolvers<void>();
  const slow = createSchedule({
    pool,
    leases: createLocalLeases(),
    works: [
      {
        ...work,
        async run(stop, file) {
          begun.resolve();
          await new Promise((resolve) => stop.addEventListener("abort", resolve));
          return work.run(stop, file);
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

test("with a folder on each machine the old ones of a folder go when the next one is made there", async () => {
  const there = join(site.dataDir, "there");
  await mkdir(there);
  const [here, elsewhere] = [open(undefined, undefined, true), open(there, undefined, true)];
  const listKept = async () =>
    (await readRuns()).filter(({ removed_at }) => removed_at === null).map(({ file }) => file);
  await here.look();
  clock.now += 24 * HOUR_MS;
  await here.look();
  const [first, second] = await listZips();
  for (let day = 0; day < 8; day++) {
    clock.now += 24 * HOUR_MS;
    await elsewhere.look();
  }
  expect(await listZips()).toEqual([first, second]);
  expect((await listKept()).sort()).toEqual([first, second, ...(await readdir(there))].sort());
  const others = (await readdir(there)).length;
  for (let day = 0; day < 8; day++) {
    clock.now += 24 * HOUR_MS;
    await here.look();
  }
  expect(await listZips()).not.toContain(first);
  expect(await readdir(there)).toHaveLength(others);
  expect((await listKept()).sort()).toEqual([...(await listZips()), ...(await readdir(there))].sort());
  for (const each of [here, elsewhere]) await each.close();
});

/** Another place in memory: names and sizes. */
function makePlace() {
  const there = new Map<string, number>();
  const contents = new Map<string, Buffer>();
  const state = { fault: undefined as Error | undefined, puts: [] as string[] };
  place = {
    title: "sftp://host/path",
    async put(file, name) {
      state.puts.push(name);
      if (state.fault) throw state.fault;
      there.set(name, (await stat(file)).size);
      contents.set(name, await readFile(file));
    },
    list: async () => [...there.keys()],
    remove: async (name) => void there.delete(name),
    fetch: async () => undefined,
    check: async () => undefined,
  };
  return { there, contents, state };
}

test("each goes to the other place once, under the same retention, which takes nothing of somebody else's", async () => {
  const { there, state } = makePlace();
  const foreign = ["daily-20200101T033000Z.zip", "mine.txt"];
  for (const name of foreign) there.set(name, 1);
  schedule = open();
  for (let day = 0; day < 9; day++) {
    await schedule.look();
    await schedule.look();
    clock.now += 24 * HOUR_MS;
  }
  expect([...there.keys()].sort()).toEqual([...(await listZips()), ...foreign].sort());
  expect(state.puts).toHaveLength(9);
  expect(await check()).toMatchObject({ vars: { where: `${backups()}, sftp://host/path` } });
  // What a copy that was cut off left goes too.
  const [draft] = (await listZips()).slice(-1);
  there.set(`${draft}.part`, 1);
  there.set("mine.txt.part", 1);
  await schedule.look();
  expect([...there.keys()]).not.toContain(`${draft}.part`);
  expect([...there.keys()]).toContain("mine.txt.part");
});

test("a backup whose machine stops before it is copied is followed by one of the machine that goes on, which is", async () => {
  const { there, state } = makePlace();
  const begun = Promise.withResolvers<void>();
  const { put } = place as RemotePlace; // made above
  place = {
    ...(place as RemotePlace),
    async put(_file, _name, stop) {
      begun.resolve();
      await new Promise((_resolve, reject) => stop.addEventListener("abort", () => reject(stop.reason)));
    },
  };
  const first = open(undefined, undefined, true);
  const looking = first.look();
  await begun.promise;
  await first.close();
  await looking;
  const [left] = await listZips();
  expect((await readRuns()).map(({ kind, file }) => [kind, file])).toEqual([["backup", left]]);
  expect(await check()).toMatchObject({ status: "healthy", vars: { where: backups() } });

  place = { ...place, put };
  const folder = join(site.dataDir, "of another machine");
  await mkdir(folder);
  clock.now += 60_000;
  const second = open(folder, undefined, true);
  for (let count = 0; count < 3; count += 1) await second.look();
  const [made = "", ...more] = await readdir(folder);
  expect(more).toEqual([]);
  expect(made > String(left)).toBe(true);
  expect(state.puts).toEqual([made]);
  expect([...there.keys()]).toEqual([made]);
  // The first machine comes back: all is where it should be.
  await second.close();
  const third = open(undefined, undefined, true);
  await third.look();
  expect(await listZips()).toEqual([left]);
  await third.close();
});

test("copies are encrypted for the recipient that is named, under the same retention, and nothing of it stays here", async () => {
  const { there, contents } = makePlace();
  schedule = open();
  await schedule.look();
  clock.now += 24 * HOUR_MS;
  const identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  schedule = open();
  for (let day = 0; day < 9; day++) {
    await schedule.look();
    clock.now += 24 * HOUR_MS;
  }
  const zips = await listZips();
  expect([...there.keys()].sort()).toEqual(zips.map((name) => `${name}.age`));
  expect((await listCopies(place as RemotePlace))[0]).toBe(`${zips.at(-1)}.age`);
  const [newest = ""] = zips.slice(-1);
  const locked = join(site.dataDir, "locked.age");
  await writeFile(locked, contents.get(`${newest}.age`) ?? "");
  const opened = join(site.dataDir, "opened.zip");
  await decryptFile(locked, opened, { identity });
  expect(await readFile(opened)).toEqual(await readFile(join(backups(), newest)));
  expect(await check()).toMatchObject({ vars: { where: `${backups()}, sftp://host/path` } });
});

test("a recipient that was typed wrongly keeps copies back, and is told", async () => {
  const { there } = makePlace();
  recipient = (await identityToRecipient(await generateIdentity())).replace(/.$/, (last) =>
    last === "q" ? "p" : "q",
  );
  expect([await canEncryptFor(recipient), there.size]).toEqual([false, 0]);
  schedule = open();
  await schedule.look();
  expect((await readRuns()).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "backup done",
    "copy failed",
  ]);
  expect([there.size, await listZips()]).toEqual([0, [expect.stringMatching(/^daily-.*Z\.zip$/)]]);
});

test("a copy that fails leaves the backup done, is told once, and is tried again alone, while the folder keeps its retention", async () => {
  const { there, state } = makePlace();
  state.fault = new Error("The host is away.");
  schedule = open();
  for (let hour = 0; hour < 9 * 24; hour++) {
    await schedule.look();
    clock.now += HOUR_MS;
  }
  // 7 days and the newest of former weeks; not one for each attempt.
  expect((await listZips()).length).toBeLessThan(11);
  expect(await check()).toMatchObject({
    status: "critical",
    reason: "copy_failed",
    vars: { reason: "sftp://host/path: The host is away.", when: "–" },
  });
  expect(mails).toMatchObject([{ kind: "backup_alarm", what: "copy", state: "failed" }]);
  state.fault = undefined;
  await schedule.look();
  expect([...there.keys()]).toEqual((await listZips()).slice(-1));
  expect(mails.slice(1)).toMatchObject([{ what: "copy", state: "works" }]);
  expect(await check()).toMatchObject({ status: "healthy" });
});

test("a backup whose end can't be written down is known all the same", async () => {
  // What ends a run goes through a transaction.
  await site.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'The connection broke.'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON site_backup FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  await expect(schedule.look()).rejects.toThrow("The connection broke.");
  const [name] = await listZips();
  expect(await readRuns()).toMatchObject([{ status: "running", file: name }]);
  await site.pool.query("DROP TRIGGER refuse ON site_backup; DROP FUNCTION refuse()");
  await schedule.look();
  expect(await readRuns()).toMatchObject([{ status: "done", file: name, byte_size: expect.any(Number) }]);
  expect(await listZips()).toEqual([name]);
});

test("health says when there is none yet, when the last one is old, and that they are off", async () => {
  expect(await check()).toMatchObject({ status: "unknown", reason: "backup_none" });
  await schedule.look();
  clock.now += 51 * HOUR_MS;
  expect(await check()).toMatchObject({ status: "critical", reason: "backup_late" });
  expect(
    await checkBackups({ db: site.pool, time: undefined, folder: "", remote: undefined, now }),
  ).toMatchObject({
    reason: "backup_off",
  });
});

test("a place for copies while no backups are made is told", async () => {
  const options = { db: site.pool, time: undefined, folder: "", now };
  expect(await checkBackups({ ...options, remote: "sftp://host/path" })).toEqual({
    status: "warning",
    reason: "backup_off_copies",
    vars: { where: "sftp://host/path" },
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
