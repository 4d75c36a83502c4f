import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { orHang, until } from "#test/until.ts";
import { dropOldAuditEntries, ensureAuditPartitions } from "./months.ts";
import { forgetPerson, listNamesOf, listOwnEntries, recordAudit, toChanges } from "./service.ts";

const KEY = Buffer.alloc(32);
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

test("a forgotten person's entries stay, in every month, under their number; others' keep all", async () => {
  const { pool } = database;
  const insert = (values: string) =>
    pool.query(
      `INSERT INTO audit_entry (timestamp, user_id, username, action_type, content_type_id, object_id, object_repr, changes, ip_address)
       VALUES ${values}`,
    );
  await insert(`('2026-11-05', 71, 'Ada', 'LOGIN', NULL, NULL, NULL, NULL, '192.0.2.1'),
    ('2026-12-05', 71, 'Ada', 'UPDATE', 9, '5', 'A certificate', '{"label":{"after":"x"}}', '192.0.2.1'),
    ('2029-01-05', 72, 'grace', 'UPDATE', 8, '71', 'Ada', '{"email":{"before":"ada@example.org"}}', '192.0.2.2'),
    ('2026-11-06', NULL, 'ADA@example.org', 'LOGIN', NULL, NULL, NULL, NULL, '192.0.2.1'),
    ('2027-01-01', NULL, NULL, 'CREATE', 8, '71', 'Ada', '{"username":{"after":"Ada"}}', '192.0.2.1'),
    ('2026-11-07', 72, 'grace', 'UPDATE', 9, '71', 'Another certificate', '{"label":{"after":"y"}}', '192.0.2.2')`);
  await forgetPerson(pool, { userId: 71, contentTypeId: 8, names: ["Ada", "ada@example.org"] });
  const { rows } = await pool.query(
    `SELECT user_id, username, object_id, object_repr, changes, ip_address FROM audit_entry
     WHERE user_id IN (71, 72) OR object_id = '71' OR action_type = 'LOGIN' ORDER BY timestamp`,
  );
  const gone = "deleted account 71";
  const none = { username: gone, ip_address: null, object_id: null, object_repr: null, changes: null };
  const grace = { user_id: 72, username: "grace", ip_address: "192.0.2.2", object_id: "71" };
  expect(rows).toEqual([
    { ...none, user_id: 71 },
    { ...none, user_id: null },
    { ...grace, object_repr: "Another certificate", changes: { label: { after: "y" } } },
    {
      ...none,
      user_id: 71,
      object_id: "5",
      object_repr: "A certificate",
      changes: { label: { after: "x" } },
    },
    { ...none, username: null, user_id: null, object_id: "71", object_repr: gone },
    { ...grace, object_repr: gone, changes: null },
  ]);
});

test("the log has the names that an account had, and which of them were its address", async () => {
  const { pool } = database;
  const actor = { ...SYSTEM_ACTOR, userId: 90, username: "First" };
  const about = { action: "UPDATE", contentTypeId: 8, objectId: 90 } as const;
  await recordAudit(pool, actor, { action: "LOGIN" });
  await recordAudit(
    pool,
    { ...actor, username: "Second" },
    { ...about, changes: { username: { before: "First", after: "Second" } } },
    { ...about, changes: { pending_email: { before: null, after: "New@example.org" } } },
    { ...about, changes: { email: { before: "Old@example.org", after: "New@example.org" } } },
    { ...about, objectId: 91, changes: { username: { before: "Other", after: "x" } } },
  );
  const names = await listNamesOf(pool, { userId: 90, contentTypeId: 8 });
  expect(names.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "first", wasAddress: false },
    { name: "new@example.org", wasAddress: false },
    { name: "old@example.org", wasAddress: true },
    { name: "second", wasAddress: false },
  ]);
});

test("a person's own entries come newest first, from below one of them", async () => {
  const record = (detail: string) =>
    recordAudit(database.pool, { ...SYSTEM_ACTOR, userId: 80 }, { action: "VIEW", detail });
  for (const detail of ["first", "second", "third"]) await record(detail);
  const [newest, ...older] = await listOwnEntries(database.pool, 80, { before: null, limit: 10 });
  expect([newest?.detail, ...older.map(({ detail }) => detail)]).toEqual(["third", "second", "first"]);
  const page = { before: newest?.id ?? 0, limit: 1 };
  expect(await listOwnEntries(database.pool, 80, page)).toEqual(older.slice(0, 1));
});

test("months beyond the retention are dropped whole, and of the default partition what is as old", async () => {
  const own = await createTestDatabase();
  const { pool } = own;
  await ensureAuditPartitions(pool, new Date("2024-10-15T00:00:00Z"));
  await ensureAuditPartitions(pool, new Date("2026-11-15T00:00:00Z"));
  await pool.query(
    `INSERT INTO audit_entry (timestamp, action_type, detail) VALUES ('2024-10-31', 'VIEW', 'old'), ('2024-11-01', 'VIEW', 'kept'),
       ('2020-01-01', 'VIEW', 'old default'), ('2025-05-05', 'VIEW', 'kept default')`,
  );
  const dropped = await dropOldAuditEntries(pool, new Date("2026-11-20T00:00:00Z"), 24, KEY);
  expect(dropped).toEqual({ partitions: ["audit_entry_2024_10"], entries: 1 });
  const { rows } = await pool.query("SELECT detail FROM audit_entry ORDER BY timestamp");
  expect(rows.map((row) => row.detail)).toEqual(["kept", "kept default"]);
  const again = await dropOldAuditEntries(pool, new Date("2026-11-20T00:00:00Z"), 24, KEY);
  expect(again).toEqual({ partitions: [], entries: 0 });
  await own.close();
});

test("behind a long reader of the log the list of months stays as it is, and others write on", async () => {
  const own = await createTestDatabase();
  const { pool } = own;
  await ensureAuditPartitions(pool, new Date("2024-10-15T00:00:00Z"));
  const reader = await pool.connect();
  await reader.query("BEGIN");
  await reader.query("SELECT count(*) FROM audit_entry");
  // What gives up behind the reader is refused only when the test has written.
  const written = Promise.withResolvers<void>();
  const query = (text: string, values?: unknown[]) =>
    pool.query(text, values).catch(async (error: unknown) => {
      await written.promise;
      throw error;
    });
  const patient = { query } as Queryable; // only `query` with a text is used
  const works = [
    ensureAuditPartitions(patient, new Date("2026-11-15T00:00:00Z")),
    dropOldAuditEntries(patient, new Date("2026-11-20T00:00:00Z"), 24, KEY),
  ].map((work) => expect(work).rejects.toMatchObject({ code: "55P03" }));
  let isOver = false;
  const over = Promise.all(works).finally(() => {
    isOver = true;
  });
  await until(async () => {
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%foyer_log_%'`;
    return (await pool.query(waiting)).rowCount;
  });
  await orHang(recordAudit(pool, SYSTEM_ACTOR, { action: "VIEW", detail: "beside" }));
  expect(isOver).toBe(false);
  written.resolve();
  while (!isOver) await orHang(recordAudit(pool, SYSTEM_ACTOR, { action: "VIEW", detail: "beside" }));
  await over;
  await reader.query("COMMIT");
  reader.release();
  await ensureAuditPartitions(pool, new Date("2026-11-15T00:00:00Z"));
  const dropped = await dropOldAuditEntries(pool, new Date("2026-11-20T00:00:00Z"), 24, KEY);
  expect(dropped.partitions).toEqual(["audit_entry_2024_10"]);
  await own.close();
});
