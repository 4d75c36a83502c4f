import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createLocalStorage } from "#server/files/store.ts";
import { createTestDatabase, explain, type TestDatabase } from "#test/database.ts";
import { type AccountsFixture, OWNER, openAccounts } from "./fixture.ts";
import { cleanAccounts, sweepPictures } from "./housekeeping.ts";
import { findUnusedPictures, insertAccount } from "./store.ts";
import { getCode, register, verify } from "./test-registration.ts";

describe("housekeeping", () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;

  let accounts: AccountsFixture;
  beforeAll(async () => {
    accounts = await openAccounts();
  });
  afterAll(() => accounts.close());

  const clean = () => cleanAccounts(accounts.pool, new Date(accounts.clock.now));

  async function read(sql: string): Promise<string[]> {
    const { rows } = await accounts.pool.query<{ value: string }>(sql);
    return rows.map((row) => row.value);
  }
  const readNames = () => read("SELECT username AS value FROM account_user ORDER BY username");

  test("registrations without a proven address go after 24 hours, others stay", async () => {
    await register(accounts, "unproven");
    accounts.takeMails();
    await register(accounts, "proven");
    await verify(accounts, "proven@example.org", getCode(accounts.takeMails()));
    await accounts.pool.query(
      `INSERT INTO account_user (username, email, password_hash, access_level_id, created_at)
     SELECT 'by_admin', 'by_admin@example.org', 'x', id, '2020-01-01' FROM access_level WHERE level = 1`,
    );
    accounts.clock.now += DAY_MS - 1;
    await clean();
    expect(await readNames()).toEqual(["Owner_1", "by_admin", "proven", "unproven"]);
    accounts.clock.now += 1;
    await clean();
    expect(await readNames()).toEqual(["Owner_1", "by_admin", "proven"]);
  });

  test("a registration that goes is out of the log too, and a failed log-in of a name that somebody has isn't", async () => {
    await register(accounts, "leaver", { email: OWNER.email });
    await accounts.logIn({ username: "leaver", password: "Wrong-horse-1" });
    await accounts.logIn({ username: OWNER.email, password: "Wrong-horse-1" });
    accounts.clock.now += DAY_MS;
    await clean();
    const names = await read(
      "SELECT DISTINCT lower(username) AS value FROM audit_entry WHERE username IS NOT NULL",
    );
    expect(names).not.toContain("leaver");
    expect(names).toContain("owner_1");
  });

  test("codes go a day after they expired", async () => {
    const count = async () => (await read("SELECT id::text AS value FROM account_code")).length;
    await accounts.send("POST", "/api/users/password/forgot/", { payload: { email: "nobody@example.org" } });
    const before = await count();
    accounts.clock.now += DAY_MS + HOUR_MS / 6 - 1;
    await clean();
    expect(await count()).toBe(1);
    expect(before).toBeGreaterThanOrEqual(1);
    accounts.clock.now += 1;
    await clean();
    expect(await count()).toBe(0);
  });

  test("sessions go 30 days after they ended or expired", async () => {
    const ids = () => read("SELECT id::text AS value FROM account_session");
    await accounts.pool.query("DELETE FROM account_session");
    const ended = await accounts.signIn();
    await accounts.signOut(ended.tokens.refresh_token);
    const left = await accounts.signIn();
    accounts.clock.now += 30 * DAY_MS - 1;
    await clean();
    expect(await ids()).toHaveLength(2);
    accounts.clock.now += 1;
    await clean();
    expect(await ids()).toEqual([left.tokens.refresh_token.slice(0, 36)]);
    accounts.clock.now += 30 * DAY_MS;
    await clean();
    expect(await ids()).toEqual([]);
  });
});

describe("sweep pictures", () => {
  const NOW = new Date("2026-05-10T00:00:00Z");
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), "foyer-sweep-"));
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const toName = (start: string) => `${start.padEnd(32, "0")}.webp`;
  async function write(name: string, hoursOld: number): Promise<void> {
    const path = join(folder, name.slice(0, 2), name);
    await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
    await writeFile(path, "x");
    const at = new Date(NOW.getTime() - hoursOld * 60 * 60 * 1000);
    await utimes(path, at, at);
  }

  test("what isn't the storage's own is left alone", async () => {
    const other = await mkdtemp(join(tmpdir(), "foyer-sweep-"));
    await writeFile(join(other, ".DS_Store"), "x");
    await mkdir(join(other, "ab", "cd"), { recursive: true });
    await mkdir(join(other, "notes"));
    await writeFile(join(other, "notes", "a.txt"), "x");
    expect(await sweepPictures(database.pool, createLocalStorage(other), new Date("2999-01-01"))).toBe(0);
    expect((await readdir(other, { recursive: true })).sort()).toEqual([
      ".DS_Store",
      "ab",
      "ab/cd",
      "notes",
      "notes/a.txt",
    ]);
    await rm(other, { recursive: true });
  });

  test("where nobody has uploaded anything there is nothing to remove", async () => {
    expect(await sweepPictures(database.pool, createLocalStorage(join(folder, "none")), NOW)).toBe(0);
  });

  test("names of pictures are looked up by indexes, however many people there are", async () => {
    const { pool } = database;
    await pool.query(
      `INSERT INTO account_user (username, email, password_hash, access_level_id, avatar, cover)
       SELECT 'p' || n, 'p' || n || '@example.org', 'x', (SELECT min(id) FROM access_level),
         CASE n % 4 WHEN 0 THEN md5(n::text) || '.webp' END, CASE n % 9 WHEN 0 THEN md5('c' || n) || '.webp' END
       FROM generate_series(1, 20000) n`,
    );
    await pool.query("ANALYZE account_user");
    const asked = Array.from({ length: 500 }, (_, n) => toName(`e${n}`));
    const plan = await explain(pool, (db) => findUnusedPictures(db, asked));
    expect(plan).toMatch(/account_user_avatar/);
    expect(plan).toMatch(/account_user_cover/);
    expect(plan).not.toMatch(/Seq Scan/);
    await pool.query("DELETE FROM account_user");
  });

  test("a sweep that is to end takes nothing more away", async () => {
    await write(toName("dd1"), 48);
    expect(await sweepPictures(database.pool, createLocalStorage(folder), NOW, AbortSignal.abort())).toBe(0);
    await rm(join(folder, "dd"), { recursive: true });
  });

  test("old files that no account names go; used and young ones stay", async () => {
    const account = { username: "ada", email: "ada@example.org", passwordHash: "x", level: 1 };
    const { id } = await insertAccount(database.pool, account);
    await database.pool.query("UPDATE account_user SET avatar = $2, cover = $3 WHERE id = $1", [
      id,
      toName("aa1"),
      toName("bb1"),
    ]);
    for (const start of ["aa1", "aa2", "bb1", "cc1"]) await write(toName(start), 48);
    await write(`${toName("aa3")}.0123abcd.part`, 48);
    await write(toName("cc2"), 1);
    expect(await sweepPictures(database.pool, createLocalStorage(folder), NOW)).toBe(3);
    const left = await readdir(folder, { recursive: true });
    expect(left.filter((name) => name.includes("/")).sort()).toEqual([
      `aa/${toName("aa1")}`,
      `bb/${toName("bb1")}`,
      `cc/${toName("cc2")}`,
    ]);
  });
});
