import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { withRetriedTransaction, withTransaction } from "./transaction.ts";

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
    const pid = rows[0]?.pid ?? 0;
    const asleep = client.query("SELECT pg_sleep(100000)");
    void until(async () => {
      const sleeping =
        "SELECT FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'";
      return (await database.pool.query(sleeping, [pid])).rowCount;
    }).then(() => cut(pid));
    await asleep;
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

test("two that wait for each other are both done, one of them at its second try", async () => {
  const { pool } = database;
  let tries = 0;
  let holding = 0;
  const take = (first: number, second: number) =>
    withRetriedTransaction(pool, async (client) => {
      tries++;
      await client.query("SELECT pg_advisory_xact_lock($1)", [first]);
      holding++;
      await until(() => holding >= 2);
      await client.query("SELECT pg_advisory_xact_lock($1)", [second]);
      return first;
    });
  expect(await Promise.all([take(1, 2), take(2, 1)])).toEqual([1, 2]);
  expect(tries).toBe(3);
});

test("what fails for a reason of its own is tried once, and a deadlock not for ever", async () => {
  for (const [state, expected] of [
    ["22023", 1],
    ["40P01", 3],
  ] as const) {
    let tries = 0;
    const work = withRetriedTransaction(database.pool, async (client) => {
      tries++;
      await client.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`);
    });
    await expect(work).rejects.toMatchObject({ code: state });
    expect(tries).toBe(expected);
  }
});
