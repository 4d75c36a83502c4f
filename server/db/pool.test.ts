import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { orHang } from "#test/until.ts";
import { createPool } from "./pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a server that doesn't answer in time is waited for no longer, and the next statement has another connection", async () => {
  const pool = createPool(database.connection, {
    name: "test",
    max: 1,
    onError: () => {},
    statementTimeoutMs: 1_000,
    answerPatienceMs: 500,
  });
  // As a dead connection does: the server's own limit ends nothing.
  await pool.query("SET statement_timeout = 0");
  await expect(orHang(pool.query("SELECT pg_sleep(100000)"))).rejects.toThrow("Query read timeout");
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test("who waits too long for somebody else's row gets an error that says so", async () => {
  const pool = createPool(database.connection, {
    name: "test",
    max: 2,
    onError: () => {},
    lockTimeoutMs: 100,
  });
  const holder = await pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM access_level FOR UPDATE");
  await expect(pool.query("UPDATE access_level SET level = level")).rejects.toMatchObject({ code: "55P03" });
  await holder.query("ROLLBACK");
  holder.release();
  await pool.end();
});
