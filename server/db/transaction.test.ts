import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { withTransaction } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const cut = (pid: number) => database.pool.query("SELECT pg_terminate_backend($1)", [pid]);
const readPid = "SELECT pg_backend_pid() AS pid";

test("a connection that breaks during a statement fails that transaction alone", async () => {
  const work = withTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>(readPid);
    setTimeout(() => void cut(rows[0]?.pid ?? 0), 100);
    await client.query("SELECT pg_sleep(10)");
  });
  await expect(work).rejects.toMatchObject({ code: "57P01" });
  expect(await withTransaction(database.pool, (client) => client.query("SELECT 1"))).toMatchObject({
    rowCount: 1,
  });
});

test("one that breaks between two statements does so too", async () => {
  const work = withTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>(readPid);
    await cut(rows[0]?.pid ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.query("SELECT 1");
  });
  await expect(work).rejects.toThrow();
  expect(await withTransaction(database.pool, (client) => client.query("SELECT 1"))).toMatchObject({
    rowCount: 1,
  });
});
