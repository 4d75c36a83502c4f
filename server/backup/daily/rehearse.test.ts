import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { asLogOwner } from "#test/database.ts";
import { hashTables, makeSite, openPool } from "../fixture.ts";
import { createRehearsal } from "./rehearse.ts";
import { selectRuns } from "./run-store.ts";
import { createDailyWork, createSchedule, type Schedule } from "./schedule.ts";
import { checkBackups } from "./state.ts";

const TIME = { hour: 3, minute: 30 };
const DAY_MS = 24 * 3_600_000;

let site: Awaited<ReturnType<typeof makeSite>>;
let pool: ReturnType<typeof openPool>;
let schedule: Schedule;
let clock: { now: number };
let mails: unknown[];
const now = () => new Date(clock.now);
const backups = () => join(site.dataDir, "backups");
beforeEach(async () => {
  site = await makeSite();
  pool = openPool(site.connection, 2);
  clock = { now: new Date(2026, 10, 20, 12).getTime() };
  mails = [];
  const { dataDir, connection } = site;
  schedule = createSchedule({
    pool,
    leases: createLocalLeases(),
    works: [
      createDailyWork({
        pool,
        dataDir,
        backupDir: undefined,
        appVersion: "0.1.0",
        now,
        time: TIME,
      }),
      createRehearsal({ pool, connection, dataDir, folder: backups(), tables: selectTables(tables), now }),
    ],
    findOwner: async () => ({ recipient: "owner@foyer.example", language: "en" }),
    mail: { queue: async (_db, mail) => void mails.push(mail) },
    log: { info: () => undefined, error: () => undefined },
    now,
  });
});
afterEach(async () => {
  await schedule.close();
  await pool.end();
  await site.close();
});

const scratchName = async () =>
  (await site.pool.query("SELECT 'foyer_rehearsal_' || left(md5(current_database()), 12) AS name")).rows[0]
    .name;
const listScratch = async () => {
  const name = await scratchName();
  return (await site.pool.query("SELECT datname FROM pg_database WHERE datname = $1", [name])).rows;
};
const readRuns = async () =>
  (await selectRuns(site.pool, 9)).reverse().map(({ kind, status, message }) => ({ kind, status, message }));

test("the newest backup is restored after it was made, leaves nothing, touches nothing, and again a month later", async () => {
  await schedule.look();
  const before = await hashTables(site.pool);
  expect(await readRuns()).toEqual([
    { kind: "backup", status: "done", message: null },
    { kind: "rehearsal", status: "done", message: null },
  ]);
  expect(await listScratch()).toEqual([]);
  expect(existsSync(join(site.dataDir, "rehearsal.part"))).toBe(false);
  expect(
    await checkBackups({ db: site.pool, time: TIME, folder: backups(), remote: undefined, now }),
  ).toMatchObject({
    status: "healthy",
    reason: "backup_rehearsed",
    vars: { rehearsed: "2026-11-20 12:00" },
  });
  const { site_backup: _runs, ...rest } = before;
  clock.now += DAY_MS;
  await schedule.look();
  expect(await readRuns()).toHaveLength(3);
  expect(await hashTables(site.pool)).toMatchObject(rest);
  clock.now += 30 * DAY_MS;
  await schedule.look();
  expect((await readRuns()).map(({ kind }) => kind)).toEqual([
    "backup",
    "rehearsal",
    "backup",
    "backup",
    "rehearsal",
  ]);
});

test("a rehearsal that lost its lease leaves its successor's database and folder alone", async () => {
  await schedule.look();
  const { dataDir, connection } = site;
  const options = { connection, dataDir, folder: backups(), tables: selectTables(tables), now };
  const name = await scratchName();
  let isTaken = false;
  const query = async (sql: string, values?: unknown[]) => {
    const answer = await pool.query(sql, values);
    if (isTaken || !sql.includes("FROM pg_database")) return answer;
    isTaken = true;
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    return answer;
  };
  const late = createRehearsal({ ...options, pool: { query } as unknown as typeof pool }); // it only asks
  await late.run(new AbortController().signal, undefined);
  expect(isTaken).toBe(true);
  expect(await listScratch()).toHaveLength(1);
  expect(existsSync(join(dataDir, "rehearsal.part"))).toBe(true);
  await createRehearsal({ ...options, pool }).cleanUp?.();
  expect(await listScratch()).toEqual([]);
});

test("a backup that is damaged after it was made is found: a mail, and red", async () => {
  clock.now -= DAY_MS;
  await schedule.look();
  clock.now += 31 * DAY_MS;
  // It is made, and some bytes of it turn over before it is tried: more than a part's head holds, which nothing checks.
  await site.pool.query(
    "CREATE TABLE spoil (id integer); UPDATE site_backup SET began_at = began_at - interval '40 days' WHERE kind = 'rehearsal'",
  );
  await schedule.look();
  const [name = ""] = (await readdir(backups())).sort().reverse();
  const bytes = await readFile(join(backups(), name));
  const middle = Math.floor(bytes.length / 2);
  for (let at = middle; at < middle + 256; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(join(backups(), name), bytes);
  await site.pool.query("DELETE FROM site_backup WHERE kind = 'rehearsal'");
  await schedule.look();
  const last = (await readRuns()).at(-1);
  expect(last).toMatchObject({
    kind: "rehearsal",
    status: "failed",
    message: expect.stringContaining("is damaged"),
  });
  expect(mails).toMatchObject([{ kind: "backup_alarm", what: "rehearsal", state: "failed" }]);
  expect(
    await checkBackups({ db: site.pool, time: TIME, folder: backups(), remote: undefined, now }),
  ).toMatchObject({
    status: "critical",
    reason: "rehearsal_failed",
  });
  expect(await listScratch()).toEqual([]);
});

test("a backup in another machine's folder is that one's to try", async () => {
  const tries = (isShared: boolean) => {
    const { dataDir, connection } = site;
    const folder = join(dataDir, "elsewhere");
    const work = createRehearsal({
      pool,
      connection,
      dataDir,
      folder,
      tables: selectTables(tables),
      now,
      isShared,
    });
    return work.isDue(pool, undefined, now());
  };
  await schedule.look();
  expect(await tries(false)).toBe(true);
  expect(await tries(true)).toBe(false);
});

test("what a killed rehearsal left is taken away at the next start", async () => {
  await site.pool.query(`CREATE DATABASE ${await scratchName()} TEMPLATE template0`);
  await mkdir(join(site.dataDir, "rehearsal.part", "files"), { recursive: true });
  await asLogOwner(site.pool, "TRUNCATE account_user, audit_entry CASCADE");
  await schedule.look();
  expect(await listScratch()).toEqual([]);
  expect(existsSync(join(site.dataDir, "rehearsal.part"))).toBe(false);
});

test("an account that may make no database is said, and nothing fails", async () => {
  await schedule.look();
  await site.pool.query("DELETE FROM site_backup WHERE kind = 'rehearsal'");
  const plain = {
    query: async (text: string, values?: unknown[]) =>
      text.includes("rolcreatedb") ? { rowCount: 0, rows: [] } : site.pool.query(text, values),
  };
  expect(
    await checkBackups({ db: plain as never, time: TIME, folder: backups(), remote: undefined, now }),
  ).toMatchObject({
    status: "healthy",
    reason: "backup_untried",
  });
});
