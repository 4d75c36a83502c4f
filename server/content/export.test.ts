import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { streamCopy } from "./export.ts";

const ROWS = "COPY (SELECT i FROM generate_series(1, 3) i) TO STDOUT";
const ENDLESS = "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 10000000)) TO STDOUT";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.connection, max: 1, connectionTimeoutMillis: 200 });
  // As the product's pool does: an export that was cut short may still be ending when its database goes away.
  pool.on("connect", (client) => client.on("error", () => undefined));
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

test("exports one after the other leave nothing on their connection", async () => {
  const countListeners = async () => {
    const client = await pool.connect();
    const count = client.listenerCount("error");
    client.release();
    return count;
  };
  const before = await countListeners();
  for (let round = 0; round < 3; round++) expect(await text(await streamCopy(pool, ROWS))).toBe("1\n2\n3\n");
  expect(await countListeners()).toBe(before);
  expect(pool.totalCount).toBe(1);
});

test("while every connection is taken the next export is told to come back, and later ones work", async () => {
  const first = await streamCopy(pool, ENDLESS);
  await expect(streamCopy(pool, ROWS)).rejects.toMatchObject({
    code: "unavailable",
    status: 503,
    retryAfterS: 30,
  });
  first.destroy();
  expect(await text(await streamCopy(pool, ROWS))).toBe("1\n2\n3\n");
});
