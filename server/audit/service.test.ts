import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/models/actor.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { ensureAuditPartitions, recordAudit, toChanges } from "./service.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function readPartitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass ORDER BY 1",
  );
  return rows.map((row) => row.name);
}

test("this month and the next two have partitions, also over a new year and when two processes ask at once", async () => {
  const now = new Date("2026-11-30T23:59:00Z");
  await Promise.all([ensureAuditPartitions(database.pool, now), ensureAuditPartitions(database.pool, now)]);
  await ensureAuditPartitions(database.pool, new Date("2026-12-01T00:00:00Z"));
  expect(await readPartitions()).toEqual([
    "audit_entry_2026_11",
    "audit_entry_2026_12",
    "audit_entry_2027_01",
    "audit_entry_2027_02",
    "audit_entry_default",
  ]);
});

test("a month that the default partition already holds rows of stays there, and nothing fails", async () => {
  await database.pool.query("INSERT INTO audit_entry (timestamp, action_type) VALUES ('2030-05-05', 'VIEW')");
  await ensureAuditPartitions(database.pool, new Date("2030-05-01T00:00:00Z"));
  expect(await readPartitions()).not.toContain("audit_entry_2030_05");
  expect(await readPartitions()).toContain("audit_entry_2030_06");
});

test("an entry of the server itself has no user", async () => {
  await recordAudit(database.pool, SYSTEM_ACTOR, {
    action: "UPDATE",
    detail: "import",
    message: "İçe aktarıldı",
  });
  const { rows } = await database.pool.query("SELECT * FROM audit_entry WHERE detail = 'import'");
  expect(rows).toEqual([
    expect.objectContaining({ user_id: null, username: null, change_message: "İçe aktarıldı" }),
  ]);
});

test("changes hold the differing fields only, by value", () => {
  const before = { a: 1, b: { x: 1 }, c: null };
  expect(toChanges(before, { a: 2, b: { x: 1 }, d: "new" })).toEqual({
    a: { before: 1, after: 2 },
    c: { before: null, after: undefined },
    d: { before: undefined, after: "new" },
  });
});
