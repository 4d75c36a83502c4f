import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test.each([
  ["IŞIK", "isik"],
  ["ışık", "isik"],
  ["İstanbul", "istanbul"],
  ["ISTANBUL", "istanbul"],
  ["çöp ĞÜŞ", "cop gus"],
  ["Ångström", "angstrom"],
])("%s folds to %s", async (text, folded) => {
  const { rows } = await database.pool.query("SELECT foyer_fold($1) AS folded", [text]);
  expect(rows[0].folded).toBe(folded);
});

test("trigrams keep letters beyond ASCII", async () => {
  const { rows } = await database.pool.query("SELECT show_trgm('ışık') AS trigrams");
  expect(rows[0].trigrams.length).toBeGreaterThanOrEqual(5);
});
