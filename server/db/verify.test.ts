import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openDebianServer } from "#test/debian-server.ts";
import { applyMigrations, MIGRATIONS_FOLDER } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { SchemaMismatchError, selectTables, verifySchema } from "./verify.ts";

const TABLES = selectTables(tables);
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

async function getFaults(list = TABLES): Promise<string> {
  try {
    await verifySchema(database.pool, list);
  } catch (error) {
    if (error instanceof SchemaMismatchError) return error.message;
    throw error;
  }
  return "";
}

test("a migrated database matches the code, and migrating twice changes nothing", async () => {
  await applyMigrations(database.pool);
  expect(await getFaults()).toBe("");
});

test.each([
  ["a dropped index", "DROP INDEX cv_certificate_search_trgm", /index cv_certificate_search_trgm is missing/],
  [
    "an index in another order",
    `DROP INDEX audit_entry_user; CREATE INDEX audit_entry_user ON audit_entry (user_id, "timestamp" DESC NULLS LAST)`,
    /index audit_entry_user is .*NULLS LAST/,
  ],
  [
    "an unusable index",
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'cv_link_position'::regclass",
    /index cv_link_position is "INVALID/,
  ],
  [
    "a changed expression",
    "ALTER TABLE cv_skill DROP COLUMN search; ALTER TABLE cv_skill ADD search text GENERATED ALWAYS AS (label ->> 'en') STORED",
    /column cv_skill\.search is/,
  ],
  [
    "a changed type",
    "ALTER TABLE cv_link ALTER COLUMN network TYPE varchar(10)",
    /column cv_link\.network is/,
  ],
  ["a missing column", "ALTER TABLE cv_link DROP COLUMN username", /column cv_link\.username is missing/],
  [
    "a dropped constraint",
    "ALTER TABLE access_level DROP CONSTRAINT access_level_level",
    /constraint access_level\.access_level_level is missing/,
  ],
  [
    "another function",
    "CREATE OR REPLACE FUNCTION foyer_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT lower(value)'",
    /function foyer_fold is/,
  ],
  [
    "a migration that was never applied",
    "DELETE FROM drizzle.__drizzle_migrations WHERE id = 2",
    /migration 0001_first-models was never applied/,
  ],
  [
    "a migration that was changed",
    "UPDATE drizzle.__drizzle_migrations SET hash = 'x' WHERE id = 1",
    /migration 0000_floor was changed/,
  ],
  [
    "a migration from the future",
    "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 4102444800000)",
    /has a migration of 2100-01-01/,
  ],
])("%s stops the start and is named", async (_, sql, fault) => {
  await database.damage(sql);
  expect(await getFaults()).toMatch(fault);
});

test("a table of the code without a migration is named", async () => {
  const ghost = pgTable("ghost", { id: integer("id"), name: text("name") });
  expect(await getFaults([...TABLES, ghost])).toMatch(
    /column ghost\.name is in the code and not in the database: npm run db:generate/,
  );
});

test("what an owner adds is left alone", async () => {
  await database.pool.query(
    "CREATE TABLE mine (id integer); ALTER TABLE cv_link ADD note text; CREATE INDEX ON cv_link (note)",
  );
  expect(await getFaults()).toBe("");
});

test("every change of the tables has its migration", async () => {
  const folder = join(MIGRATIONS_FOLDER, "meta");
  const newest =
    readdirSync(folder)
      .filter((name) => name.endsWith("_snapshot.json"))
      .sort()
      .at(-1) ?? "";
  const committed = JSON.parse(readFileSync(join(folder, newest), "utf8"));
  const current = generateDrizzleJson(Object.fromEntries(TABLES.entries()), committed.id);
  expect(await generateMigration(committed, current)).toEqual([]);
});

const DEBIAN_15 = "/usr/lib/postgresql/15/bin";
(existsSync(DEBIAN_15) ? describe : describe.skip)("on Debian's PostgreSQL 15", () => {
  const opened: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const server of opened) await server.close();
  });

  test("the same migrations give the same catalog", async () => {
    const server = await openDebianServer(DEBIAN_15);
    opened.push(server);
    const pool = createPool(server.connection, { name: "test", max: 1, onError: () => {} });
    try {
      await applyMigrations(pool);
      await expect(verifySchema(pool, TABLES)).resolves.toBeUndefined();
    } finally {
      await pool.end();
    }
  });
});
