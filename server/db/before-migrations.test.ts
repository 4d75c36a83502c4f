import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { applyMigrationRange, readAppliedMigrations, readMigrations } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { selectTables } from "./verify.ts";

const MIGRATIONS = readMigrations();
const LAST = MIGRATIONS.at(-1)?.name ?? "";

/** What the last start warned of. */
const warned: object[] = [];
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA drizzle CASCADE");
});
afterEach(() => database.close());

/** Opens the database as a start does; gives what was received before migrations. */
async function open(refuse?: Error): Promise<(readonly string[])[]> {
  const { host, port, user, database: name } = database.connection;
  const received: (readonly string[])[] = [];
  warned.length = 0;
  const opened = await openDatabase({
    dataDir: "/nowhere",
    databaseUrl: `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    databaseUser: undefined,
    tables: selectTables(tables),
    log: { debug: () => {}, warn: (details) => void warned.push(details) },
    onProgress: () => {},
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
