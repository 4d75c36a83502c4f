import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { to as copyTo } from "pg-copy-streams";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { followQueries } from "./followed-queries.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("of a copy, which takes no parameters, nothing is told but that it is one", async () => {
  const texts: string[] = [];
  followQueries(database.pool, (query) => {
    texts.push(query);
    return undefined;
  });
  const client = await database.pool.connect();
  expect(await text(client.query(copyTo("COPY (SELECT 'somebody@example.org') TO STDOUT")))).toBe(
    "somebody@example.org\n",
  );
  await client.query("SELECT $1::text", ["a value"]);
  client.release();
  expect(texts).toEqual(["COPY", "SELECT $1::text"]);
});
