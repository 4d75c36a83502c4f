import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createStatementNames } from "./write-one.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a text gets a name once it has come often, always the same, and only so many do", () => {
  const getName = createStatementNames();
  expect([1, 2, 3].map(() => getName("SELECT 1"))).toEqual([undefined, undefined, undefined]);
  const name = getName("SELECT 1");
  expect(name).toMatch(/^write_[0-9a-f]{32}$/);
  expect(getName("SELECT 1")).toBe(name);
  const named = new Set<string | undefined>();
  for (let text = 0; text < 100; text++)
    for (let use = 0; use < 5; use++) named.add(getName(`SELECT ${text} + 1`));
  named.delete(undefined);
  expect(named.size).toBe(39);
});

test("a named statement is planned once for all values, a nameless one for its own each time", async () => {
  const client = await database.pool.connect();
  const count = async (name: string | undefined) => {
    for (let id = 1; id <= 12; id++)
      await client.query({
        text: "SELECT FROM content_type WHERE id = $1",
        values: [id],
        ...(name && { name }),
      });
    const { rows } = await client.query(
      "SELECT coalesce(sum(generic_plans), 0)::integer AS generic FROM pg_prepared_statements",
    );
    return rows[0].generic;
  };
  expect(await count(undefined)).toBe(0);
  expect(await count("write_x")).toBeGreaterThan(0);
  client.release();
});
