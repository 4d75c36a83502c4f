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
    "an unknown migration before this version's newest one",
    "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 1795181946920)",
    /has a migration of 2026-11-20T13:39:06\.920Z that this version doesn't know$/,
  ],
])("%s stops the start and is named", async (_, sql, fault) => {
  await database.damage(sql);
  expect(await getFaults()).toMatch(fault);
});

test("beside a migration that commits meanwhile all is compared as of one moment", async () => {
  const { pool } = database;
  const last = "(SELECT max(created_at) FROM drizzle.__drizzle_migrations)";
  const { rows } = await pool.query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = ${last}
    RETURNING hash, created_at`);
  await pool.query("ALTER TABLE cv_link RENAME network TO former");
  const migrate = async () => {
    await pool.query("ALTER TABLE cv_link RENAME former TO network");
    await pool.query("INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)", [
      rows[0].hash,
      rows[0].created_at,
    ]);
  };
  // The migration comes right behind the look at the catalog.
  const reader = createPool(database.connection, { name: "test", max: 1, onError: () => {} });
  const client = await reader.connect();
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let isMigrated = false;
  client.query = (async (...args: unknown[]) => {
    const answer = await query(...args);
    if (!isMigrated && String(args[0]).includes("pg_attribute")) {
      isMigrated = true;
      await migrate();
    }
    return answer;
  }) as typeof client.query;
  client.release();
  await expect(verifySchema(reader, TABLES)).rejects.toThrow(
    /was never applied.*cv_link\.network is missing/s,
  );
  expect(await verifySchema(reader, TABLES)).toEqual([]);
  await reader.end();
});

describe("a database that a newer version has migrated", () => {
  const NEWER = "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 4102444800000)";

  test.each([
    ["nothing", "SELECT"],
    [
      "columns that may be empty or have a default",
      "ALTER TABLE cv_link ADD note text, ADD stars integer NOT NULL DEFAULT 0",
    ],
    [
      "a column that is generated",
      "ALTER TABLE cv_link ADD twice text NOT NULL GENERATED ALWAYS AS (network || network) STORED",
    ],
    [
      "a table with rules of its own",
      "CREATE TABLE talk (id integer PRIMARY KEY, title text NOT NULL UNIQUE, link bigint REFERENCES cv_link ON DELETE CASCADE)",
    ],
    ["an index", "CREATE INDEX cv_link_note ON cv_link (network)"],
    ["a rule over a column of its own", "ALTER TABLE cv_link ADD stars integer DEFAULT 0 CHECK (stars < 6)"],
    [
      "a key over a column of its own",
      "ALTER TABLE cv_link ADD code text UNIQUE, ADD icon text REFERENCES stored_file (key)",
    ],
    ["a function", "CREATE FUNCTION foyer_new() RETURNS integer LANGUAGE sql AS 'SELECT 1'"],
  ])("which added %s is good for this one", async (_, sql) => {
    await database.damage(`${sql}; ${NEWER}`);
    expect(await getFaults()).toBe("");
    expect(await verifySchema(database.pool, TABLES)).toEqual(["2100-01-01T00:00:00.000Z"]);
  });

  test.each([
    [
      "a column that must be filled",
      "ALTER TABLE cv_link ADD note text NOT NULL",
      /column cv_link\.note is of a newer version/,
    ],
    [
      "a rule over a column of this one",
      "ALTER TABLE cv_link ADD CONSTRAINT short CHECK (length(network) < 9)",
      /constraint cv_link\.short is of a newer/,
    ],
    [
      "a unique index over a column of this one",
      "CREATE UNIQUE INDEX one_network ON cv_link (network)",
      /index one_network is of a newer/,
    ],
    [
      "a unique index over an expression",
      "CREATE UNIQUE INDEX one_fold ON cv_link (lower(network))",
      /index one_fold is of a newer/,
    ],
    [
      "a column that must be filled where it was not",
      "ALTER TABLE cv_link ALTER username SET NOT NULL",
      /column cv_link\.username is/,
    ],
    [
      "another type",
      "ALTER TABLE cv_link ALTER COLUMN network TYPE varchar(10)",
      /column cv_link\.network is/,
    ],
  ])("which changed something else, %s, stops the start", async (_, sql, fault) => {
    await database.damage(`DELETE FROM cv_link; ${sql}; ${NEWER}`);
    const faults = await getFaults();
    expect(faults).toMatch(fault);
    expect(faults).toContain(
      "has a migration of 2100-01-01T00:00:00.000Z that this version doesn't know, and that changed",
    );
  });
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
      await expect(verifySchema(pool, TABLES)).resolves.toEqual([]);
    } finally {
      await pool.end();
    }
  });
});
