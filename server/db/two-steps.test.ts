import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { applyMigrationRange } from "./migrate.ts";
import { findUnannounced, splitMigrations } from "./two-steps.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterEach(() => database.close());

test("no migration takes away what the version before still uses", async () => {
  const { free, bound, names } = splitMigrations();
  expect(free.until).toBeGreaterThan(0);
  await applyMigrationRange(database.pool, { after: 0, ...free });
  expect(await findUnannounced(database.pool, bound, names)).toEqual([]);
});

/** Looks at one more migration of a database with two tables. */
async function judge(...statements: string[]): Promise<string> {
  await database.pool.query(`
    CREATE TABLE person (id integer PRIMARY KEY, name text);
    CREATE TABLE pet (id integer PRIMARY KEY, kind text DEFAULT 'cat' NOT NULL, age integer);
    CREATE INDEX pet_kind ON pet (kind);
    CREATE FUNCTION foyer_count() RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
  const found = await findUnannounced(
    database.pool,
    [{ name: "0002_new", statements }],
    ["0001_old", "0002_new"],
    () => ({ present: "1.10.0", earlier: ["1.9.1", "1.4.0"] }),
  );
  return found.join("\n");
}

test.each([
  ["a table", "CREATE TABLE owner (id integer PRIMARY KEY, name text NOT NULL UNIQUE)"],
  [
    "a column",
    "ALTER TABLE pet ADD note text; ALTER TABLE pet ADD legs integer DEFAULT 4 NOT NULL CHECK (legs >= 0)",
  ],
  ["an index", "CREATE INDEX pet_age ON pet (age)"],
  ["a function", "CREATE FUNCTION foyer_new() RETURNS integer LANGUAGE sql AS 'SELECT 2'"],
  ["rows", "UPDATE pet SET age = 1"],
])("what adds %s needs no word", async (_, sql) => {
  expect(await judge(...sql.split("; "))).toBe("");
});

const TAKING: [what: string, sql: string, named: string][] = [
  ["a dropped column", "ALTER TABLE pet DROP COLUMN age", "column pet.age is missing"],
  ["a dropped table", "DROP TABLE person", "column person.name is missing"],
  ["a renamed column", "ALTER TABLE pet RENAME age TO years", "column pet.age is missing"],
  ["a renamed table", "ALTER TABLE person RENAME TO human", "column person.name is missing"],
  ["another type", "ALTER TABLE pet ALTER age TYPE bigint", 'column pet.age is "bigint"'],
  ["NOT NULL", "ALTER TABLE pet ALTER age SET NOT NULL", 'column pet.age is "integer not null"'],
  ["a default that goes", "ALTER TABLE pet ALTER kind DROP DEFAULT", 'column pet.kind is "text not null"'],
  [
    "a column that must be filled",
    "ALTER TABLE pet ADD owner text NOT NULL",
    "column pet.owner is of a newer version",
  ],
  [
    "a new rule",
    "ALTER TABLE pet ADD CONSTRAINT young CHECK (age < 9)",
    "constraint pet.young is of a newer version",
  ],
  ["a new key", "ALTER TABLE pet ADD UNIQUE (kind)", "constraint pet.pet_kind_key is of a newer version"],
  ["a dropped index", "DROP INDEX pet_kind", "index pet_kind is missing"],
  ["a dropped function", "DROP FUNCTION foyer_count()", "function foyer_count is missing"],
];

test.each(TAKING)("%s is refused and named", async (_, sql, named) => {
  const found = await judge(sql);
  expect(found).toMatch(/^0002_new takes away or narrows what the version before uses/);
  expect(found).toContain(named);
});

test.each(["0001_old", "1.9.1", "1.4.0", "v1.4.0"])("what is unused since %s may go", async (since) => {
  expect(await judge(`-- unused since: ${since}\nALTER TABLE pet DROP COLUMN age`)).toBe("");
});

test.each(["0002_new", "0003_later", "yesterday"])("unused since %s says nothing", async (since) => {
  expect(await judge(`-- unused since: ${since}\nALTER TABLE pet DROP COLUMN age`)).toMatch(
    `0002_new says "unused since: ${since}", which is neither a version nor an earlier migration`,
  );
});

test.each([
  ["1.10.0", "isn't older than this version, 1.10.0"],
  ["v2.0.0", "isn't older than this version, 1.10.0"],
  ["1.5.0", "was never released: CHANGELOG.md has no such heading"],
])("unused since %s is refused, and the text says why", async (since, why) => {
  expect(await judge(`-- unused since: ${since}\nALTER TABLE pet DROP COLUMN age`)).toContain(
    `0002_new says "unused since: ${since}", which ${why}`,
  );
});
