import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type pg from "pg";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { applyMigrationRange, type LockPatience, readAppliedMigrations, readMigrations } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { selectTables } from "./verify.ts";

const MIGRATIONS = readMigrations();
const LAST = MIGRATIONS.at(-1)?.name ?? "";

/** What the last start warned of. */
const warned: object[] = [];
const said: string[] = [];
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA drizzle CASCADE");
});
afterEach(() => database.close());

/** Opens the database as a start does; gives what was received before migrations. */
async function open(refuse?: Error, lockPatience?: LockPatience): Promise<(readonly string[])[]> {
  const { host, port, user, database: name } = database.connection;
  const received: (readonly string[])[] = [];
  warned.length = 0;
  said.length = 0;
  const opened = await openDatabase({
    dataDir: "/nowhere",
    databaseUrl: `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    databaseUser: undefined,
    tables: selectTables(tables),
    log: {
      debug: () => {},
      warn(details, message) {
        warned.push(details);
        said.push(message);
      },
    },
    onProgress: () => {},
    ...(lockPatience && { lockPatience }),
    async beforeMigrations(pool, pending) {
      await pool.query("SELECT");
      received.push(pending);
      if (refuse) throw refuse;
    },
  });
  await opened.close();
  return received;
}

const goBack = () => applyMigrationRange(database.pool, { after: 0, until: MIGRATIONS.at(-2)?.when ?? 0 });

test("a database that was used before is notified of the migrations to come, once", async () => {
  await goBack();
  expect(await open()).toEqual([[LAST]]);
  expect(await open()).toEqual([]);
});

test("an empty database is not", async () => {
  expect(await open()).toEqual([]);
});

test("a refusal stops the start before anything is migrated", async () => {
  await goBack();
  await expect(open(new Error("no room"))).rejects.toThrow("no room");
  expect((await readAppliedMigrations(database.pool)).map(({ name }) => name)).not.toContain(LAST);
});

test("a version older than the database starts on it, says so, and migrates nothing", async () => {
  expect(await open()).toEqual([]);
  await database.pool.query(
    "ALTER TABLE cv_link ADD note text; INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 4102444800000)",
  );
  expect(await open()).toEqual([]);
  expect(warned).toEqual([{ migrations: ["2100-01-01T00:00:00.000Z"] }]);
  await database.pool.query("ALTER TABLE cv_link DROP COLUMN network");
  await expect(open()).rejects.toThrow(/column cv_link\.network is missing/);
});

describe("where somebody reads a table that a migration changes", () => {
  const BACK_TO = MIGRATIONS.find(({ name }) => name === "0036_audit-insert-only")?.when ?? 0;
  let reader: pg.PoolClient;
  beforeEach(async () => {
    await applyMigrationRange(database.pool, { after: 0, until: BACK_TO });
    reader = await database.pool.connect();
    await reader.query("SET application_name = 'a dump'; BEGIN; LOCK TABLE content_job IN ACCESS SHARE MODE");
  });
  afterEach(() => reader.release(true));

  const read = () => database.pool.query("SET lock_timeout = '10s'; SELECT FROM content_job LIMIT 1");
  const readNames = async () => (await readAppliedMigrations(database.pool)).map(({ name }) => name);

  test("it lets others read between its tries, says whom it waits for, and then does all of it", async () => {
    const before = await readNames();
    let pauses = 0;
    const pending = await open(undefined, {
      timeoutMs: 50,
      async pause() {
        await read();
        expect(await readNames()).toEqual(before);
        if (++pauses === 2) await reader.query("COMMIT");
      },
    });
    expect(pending).toHaveLength(1);
    expect(said).toEqual([
      expect.stringMatching(/in use: process \d+ \(a dump\) since [\d:]+ UTC, on content_job$/),
      expect.stringContaining("a dump"),
    ]);
    expect((await readNames()).at(-1)).toBe(LAST);
  });

  test("it gives up after some minutes, in words, and leaves all as it was", async () => {
    const before = await readNames();
    await expect(open(undefined, { timeoutMs: 50, tries: 2, pause: read })).rejects.toMatchObject({
      name: "DatabaseStartError",
      message: expect.stringMatching(/tables that change are in use \(process \d+ \(a dump\)/),
    });
    expect(await readNames()).toEqual(before);
  });
});
