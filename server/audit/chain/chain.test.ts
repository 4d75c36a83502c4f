import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { dropOldAuditEntries } from "../months.ts";
import { forgetObjects, forgetPerson, recordAudit } from "../service.ts";
import { createSealer } from "./seal.ts";
import { verifyChain } from "./verify.ts";

const KEY = Buffer.alloc(32, 7);
const now = () => new Date("2026-11-26T12:00:00Z");
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const seal = () => createSealer({ pool: database.pool, key: KEY, now, batchMax: 4 }).seal();
const verify = (expected?: { id: string; hash: string }) => verifyChain(database.pool, KEY, expected);

/** Twelve entries in three seals. */
async function fill(): Promise<void> {
  await database.pool.query(
    `INSERT INTO audit_entry (timestamp, user_id, username, action_type, content_type_id, object_id, object_repr, change_message, changes, ip_address)
     SELECT '2024-11-01'::timestamptz + n * interval '1 hour', n % 2, 'ada', 'UPDATE', 8, n::text, 'Ada', 'Changed email',
       '{"email":{"before":"ada@example.org","after":"a@example.org"}}', '192.0.2.1' FROM generate_series(1, 12) n`,
  );
  expect(await seal()).toBe(3);
}

test("an untouched log is as it was sealed, and later entries wait for the next seal", async () => {
  await fill();
  await recordAudit(database.pool, SYSTEM_ACTOR, { action: "VIEW" });
  expect(await verify()).toMatchObject({ seals: 3, entries: 12, unsealed: 1, erased: 0, faults: [] });
  expect(await seal()).toBe(1);
  expect(await verify()).toMatchObject({ seals: 4, entries: 13, unsealed: 0, faults: [] });
});

const TAMPERING = {
  "who did it": ["UPDATE audit_entry SET username = 'grace' WHERE id = 6", ["entry 6 was changed"]],
  "the address": ["UPDATE audit_entry SET ip_address = '192.0.2.9' WHERE id = 6", ["entry 6 was changed"]],
  "the values": ["UPDATE audit_entry SET changes = NULL WHERE id = 6", ["entry 6 was changed"]],
  "the message": ["UPDATE audit_entry SET change_message = 'x' WHERE id = 6", ["entry 6 was changed"]],
  "the moment": [
    "UPDATE audit_entry SET timestamp = timestamp + interval '1 microsecond' WHERE id = 6",
    ["entry 6 was changed"],
  ],
  "whose number it was": ["UPDATE audit_entry SET user_id = 5 WHERE id = 6", ["entry 6 was changed"]],
  "an entry that is gone": ["DELETE FROM audit_entry WHERE id = 6", ["entry 6 is missing"]],
  "an entry that came late": [
    `DELETE FROM audit_entry WHERE id = 7; INSERT INTO audit_entry (id, action_type) OVERRIDING SYSTEM VALUE VALUES (7, 'VIEW')`,
    ["entry 7 was changed"],
  ],
  "a part that was erased, and says something again": [
    `UPDATE audit_entry SET object_digest = encode(sha256(convert_to(jsonb_build_array(object_salt, object_repr, change_message, changes)::text, 'UTF8')), 'hex'),
       object_salt = NULL, change_message = '', changes = '{"level":{"before":1,"after":999}}' WHERE id = 6`,
    ["entry 6 is marked as erased and still says something"],
  ],
  "an entry below the first": [
    "INSERT INTO audit_entry (id, action_type) OVERRIDING SYSTEM VALUE VALUES (-1, 'VIEW')",
    ["entry -1 was added"],
  ],
  "two entries in each other's place": [
    "UPDATE audit_entry SET id = -id WHERE id IN (6, 7); UPDATE audit_entry SET id = 13 + id WHERE id < 0",
    ["entry 6 was changed", "entry 7 was changed"],
  ],
  "an erasure that nobody made": [
    "UPDATE audit_entry SET object_digest = repeat('00', 32), object_salt = NULL, change_message = '', changes = NULL WHERE id = 6",
    ["entry 6 was changed"],
  ],
  "words in the place of what was erased": [
    "UPDATE audit_entry SET object_digest = 'ab', object_salt = NULL WHERE id = 6",
    ["entry 6 was changed", "entry 6 is marked as erased and still says something"],
  ],
  "a seal's root": [
    "UPDATE audit_seal SET root = repeat('0', 64) WHERE id = 2",
    ["seal 2 was changed", "seal 2 says something else than its entries"],
  ],
  "a seal that is gone": ["DELETE FROM audit_seal WHERE id = 2", ["seal 2 is missing: the next one is 3"]],
  "the first seal": ["DELETE FROM audit_seal WHERE id = 1", ["seal 1 is missing"]],
  "a signature": [
    "UPDATE audit_seal SET signature = repeat('0', 64) WHERE id = 2",
    ["seal 2 was not signed with the key"],
  ],
  "a retention that never was": [
    "UPDATE audit_seal SET gone = 'all', gone_signature = signature WHERE id = 2; DELETE FROM audit_entry WHERE id BETWEEN 5 AND 8",
    ["seal 2 says that the retention took entries"],
  ],
} as const;

describe("somebody with all rights in the database who changes", () => {
  test.each(Object.keys(TAMPERING) as (keyof typeof TAMPERING)[])("%s is found", async (name) => {
    await fill();
    const [sql, expected] = TAMPERING[name];
    await database.damage("ALTER TABLE audit_entry ALTER id DROP IDENTITY");
    await database.damage(sql.replaceAll("OVERRIDING SYSTEM VALUE", ""));
    const { faults } = await verify();
    expect(faults).toEqual(expected.map((fault) => expect.stringMatching(new RegExp(`^${fault}`))));
  });

  test("an entry, and makes the seals anew, lacks the key", async () => {
    await fill();
    await database.damage("DELETE FROM audit_entry WHERE id = 6; TRUNCATE audit_seal");
    await createSealer({ pool: database.pool, key: Buffer.alloc(32), now }).seal();
    expect((await verify()).faults).toEqual([expect.stringMatching(/^seal 1 was not signed with the key/)]);
  });

  test("the end of the log, seals and all, is found by who knows the newest seal", async () => {
    await fill();
    const { newest } = await verify();
    await database.damage("DELETE FROM audit_entry WHERE id > 8; DELETE FROM audit_seal WHERE id > 2");
    expect((await verify()).faults).toEqual([]);
    expect((await verify(newest)).faults).toEqual([expect.stringMatching(/^seal 3 was there before/)]);
  });
});

test("an erasure leaves the chain whole, before and after the seal, and nothing to guess from", async () => {
  await fill();
  await database.pool.query(
    "INSERT INTO audit_entry (user_id, username, action_type, ip_address) VALUES (1, 'ada', 'LOGIN', '192.0.2.1')",
  );
  await forgetPerson(database.pool, { userId: 1, contentTypeId: 8, names: ["ada"] });
  await forgetPerson(database.pool, { userId: 1, contentTypeId: 8, names: ["ada"] });
  await database.pool.query(
    "INSERT INTO content_type (id, app_label, model_name) OVERRIDING SYSTEM VALUE VALUES (8, 'test', 'thing') ON CONFLICT (id) DO UPDATE SET app_label = 'test', model_name = 'thing'",
  );
  await forgetObjects(database.pool, "test.thing", { ids: [2], words: ["changed"] });
  await seal();
  expect(await verify()).toMatchObject({ entries: 13, erased: 13, faults: [] });
  const { rows } = await database.pool.query(
    "SELECT actor_salt, object_salt, username, ip_address, changes FROM audit_entry WHERE id = 1",
  );
  expect(rows).toEqual([
    { actor_salt: null, object_salt: null, username: "deleted account 1", ip_address: null, changes: null },
  ]);
});

test("the retention takes entries out of the middle of a seal, then all of it, and the chain stays whole", async () => {
  await fill();
  const { pool } = database;
  await pool.query(
    "INSERT INTO audit_entry (timestamp, action_type) VALUES ('2024-10-31', 'VIEW'), ('2024-12-01', 'VIEW'), ('2025-01-01', 'VIEW')",
  );
  await seal();
  await dropOldAuditEntries(pool, new Date("2024-12-20"), 1, KEY);
  expect(await verify()).toMatchObject({ seals: 4, retired: 0, entries: 15, faults: [] });
  expect((await pool.query("SELECT FROM audit_entry")).rowCount).toBe(14);
  await dropOldAuditEntries(pool, new Date("2024-12-20"), 0, KEY);
  expect(await verify()).toMatchObject({ seals: 4, retired: 3, entries: 3, faults: [] });
  await dropOldAuditEntries(pool, new Date("2025-03-20"), 0, KEY);
  expect(await verify()).toMatchObject({ seals: 4, retired: 4, entries: 0, faults: [] });
});

test("a write that commits after later ones is waited for, waits for nobody, and is in the chain", async () => {
  const { pool } = database;
  const slow = await pool.connect();
  const sealer = createSealer({ pool, key: KEY, now });
  try {
    await slow.query("BEGIN; INSERT INTO audit_entry (action_type) VALUES ('CREATE')");
    await pool.query("INSERT INTO audit_entry (action_type) VALUES ('UPDATE')");
    expect(await sealer.seal()).toBe(0);
    await pool.query("INSERT INTO audit_entry (action_type) VALUES ('DELETE')");
    expect(await sealer.seal()).toBe(0);
    await slow.query("COMMIT");
  } finally {
    slow.release();
  }
  expect(await sealer.seal()).toBe(1);
  expect(await verify()).toMatchObject({ entries: 2, unsealed: 1, faults: [] });
  expect(await sealer.seal()).toBe(1);
  expect(await verify()).toMatchObject({ entries: 3, unsealed: 0, faults: [] });
});

test("while the chain is being sealed, a write commits: nothing that writes waits for it", async () => {
  const { pool } = database;
  const sealing = await pool.connect();
  try {
    await sealing.query(
      "BEGIN; SELECT pg_advisory_xact_lock(4701933); LOCK TABLE audit_seal IN ROW EXCLUSIVE MODE",
    );
    await recordAudit(pool, SYSTEM_ACTOR, { action: "VIEW" });
    expect(await seal()).toBe(0); // another process has the lock
  } finally {
    await sealing.query("ROLLBACK");
    sealing.release();
  }
  expect(await seal()).toBe(1);
});

test("two processes that seal at once make one chain", async () => {
  const { pool } = database;
  await pool.query("INSERT INTO audit_entry (action_type) SELECT 'VIEW' FROM generate_series(1, 20)");
  await Promise.all([seal(), seal(), seal()]);
  await seal();
  expect(await verify()).toMatchObject({ seals: 5, entries: 20, faults: [] });
});

test("a batch that somebody made old, so that the retention takes it along, is missing for who looks", async () => {
  await fill();
  await database.damage("UPDATE audit_entry SET timestamp = '2020-01-01' WHERE id BETWEEN 5 AND 8");
  await dropOldAuditEntries(database.pool, new Date("2025-06-01T00:00:00Z"), 12, KEY);
  const { faults } = await verify();
  expect(faults.slice(0, 4)).toEqual(
    [5, 6, 7, 8].map((id) => expect.stringMatching(`^entry ${id} is missing`)),
  );
});
