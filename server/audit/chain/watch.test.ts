import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { noteSetBack, raiseAlert, recordAudit } from "../service.ts";
import { type ChainDuty, type ChainNote, createChainDuty } from "./duty.ts";
import { readMark } from "./mark.ts";
import { createSealer } from "./seal.ts";
import { verifyChain } from "./verify.ts";
import { type ChainResult, createChainWatch, tellOfChain } from "./watch.ts";

const KEY = Buffer.alloc(32, 7);
const now = () => new Date("2026-11-26T12:00:00Z");
let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let told: ChainResult[];
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await makeTestFolder();
  told = [];
});
afterEach(async () => {
  await database.close();
  await folder.remove();
});

type Options = Partial<Parameters<typeof createChainWatch>[0]>;
/** A process of the site; another one is a restart. */
const open = (options: Options = {}) =>
  createChainWatch({
    pool: database.pool,
    exportPool: database.pool,
    canChangeLog: false,
    dataDir: folder.folder,
    key: KEY,
    tell: async (result) => void told.push(result),
    log: { error: (details) => expect(details).toBeUndefined() },
    now,
    duty: createChainDuty(createLocalLeases(), KEY),
    ...options,
  });

/** Three seals of four entries each. */
async function fill(): Promise<void> {
  await database.pool.query(
    "INSERT INTO audit_entry (action_type) SELECT 'VIEW' FROM generate_series(1, 12)",
  );
  expect(await createSealer({ pool: database.pool, key: KEY, now, batchMax: 4 }).seal()).toBe(3);
}

const cutEnd = () =>
  database.damage("DELETE FROM audit_seal WHERE id = 3; DELETE FROM audit_entry WHERE id > 8");
const LOST = expect.stringMatching(/^seal 3 was there before and is missing/);

test("what was sealed goes to the second sink, and its trouble is shown while nothing worse is", async () => {
  const { pool } = database;
  const sealedThen: unknown[] = [];
  const sink = {
    deliver: async () => void sealedThen.push((await pool.query("SELECT FROM audit_seal")).rowCount),
    getFailing: () => ({ since: now(), reason: "ENOENT" }),
  };
  const watch = open({ sink });
  await recordAudit(pool, SYSTEM_ACTOR, { action: "VIEW" });
  await watch.seal();
  expect(sealedThen).toEqual([1]);
  expect(watch.check()).toMatchObject({ reason: "audit_sink_fails" });
  await database.damage("DELETE FROM audit_entry");
  await watch.look();
  expect(watch.check()).toMatchObject({ reason: "audit_broken" });
});

test("where the site's account can change the log, health says so", () => {
  expect(open({ canChangeLog: true }).check()).toEqual({ status: "healthy", reason: "audit_changeable" });
});

test("the nightly look tells since when the log is broken, and that it is whole again", async () => {
  await fill();
  const watch = open();
  await watch.look();
  expect(watch.check()).toBeUndefined();
  await database.damage("UPDATE audit_entry SET detail = 'x' WHERE id = 3");
  await watch.look();
  const fault = "entry 3 was changed after it was sealed (seal 1)";
  expect(watch.check()).toEqual({
    status: "critical",
    reason: "audit_broken",
    vars: { when: "2026-11-26 12:00", fault },
  });
  await database.damage("UPDATE audit_entry SET detail = NULL WHERE id = 3");
  await watch.look();
  expect(watch.check()).toBeUndefined();
  expect(told).toEqual([
    { state: "whole", seals: 3, entries: 12 },
    { state: "broken", since: now(), faults: [fault] },
    { state: "whole", seals: 3, entries: 12 },
  ]);
  await database.pool.query("INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
  await watch.close();
  expect(await verifyChain(database.pool, KEY)).toMatchObject({ unsealed: 0 });
});

test("a log whose end was cut off is found after a restart too, though the chain goes on, and told once", async () => {
  await fill();
  await open().seal();
  expect(await readMark(folder.folder)).toMatchObject({ id: "3" });
  await cutEnd();
  await database.pool.query("INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
  const restarted = open();
  await restarted.seal();
  await restarted.seal();
  expect(restarted.check()).toMatchObject({ reason: "audit_broken", vars: { fault: LOST } });
  expect(told).toEqual([{ state: "broken", since: now(), faults: [LOST] }]);
  // The seal that has its number now is another one.
  await restarted.look();
  expect(told.at(-1)).toEqual({ state: "broken", since: now(), faults: [LOST] });
});

test("the mark moves on with each seal, and is the owner's alone to read", async () => {
  await fill();
  const watch = open();
  await watch.seal();
  const first = await readFile(join(folder.folder, "audit-newest.txt"), "utf8");
  await recordAudit(database.pool, SYSTEM_ACTOR, { action: "VIEW" });
  await watch.seal();
  expect(await readMark(folder.folder)).toMatchObject({ id: "4" });
  expect(await readFile(join(folder.folder, "audit-newest.txt"), "utf8")).not.toBe(first);
  expect(watch.check()).toBeUndefined();
});

test("a log that its owner set back is no alarm: an entry says where it ended", async () => {
  await fill();
  const watch = open();
  await watch.seal();
  const before = await readMark(folder.folder);
  await cutEnd();
  await watch.seal();
  expect(watch.check()).toMatchObject({ reason: "audit_broken" });
  await noteSetBack(database.pool, folder.folder, { detail: "log_end", message: "" });
  await watch.seal();
  await watch.look();
  expect(watch.check()).toBeUndefined();
  const { rows } = await database.pool.query(
    "SELECT detail, changes FROM audit_entry ORDER BY id DESC LIMIT 1",
  );
  expect(rows).toEqual([
    {
      detail: "log_end",
      changes: {
        newest_seal: { before: `3 ${before?.hash}`, after: expect.stringMatching(/^2 [0-9a-f]{64}$/) },
      },
    },
  ]);
});

test("a stop ends a look after the batch at hand, says nothing of it, and seals what is new", async () => {
  await fill();
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let batches = 0;
  const exportPool = {
    async query(...args: [string, unknown[]]) {
      if (args[0].includes("split_part")) {
        batches++;
        begun.resolve();
        await goesOn.promise;
      }
      return database.pool.query(...args);
    },
  } as unknown as typeof database.pool; // a look only queries
  const watch = open({ exportPool });
  void watch.look();
  await begun.promise;
  await database.pool.query("INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
  const closed = watch.close();
  goesOn.resolve();
  await closed;
  expect([batches, told]).toEqual([1, []]);
  expect(await verifyChain(database.pool, KEY)).toMatchObject({ seals: 4, unsealed: 0 });
});

test("a broken log is logged each time, and alerts the owners once until they have seen it", async () => {
  await fill();
  const errors: object[] = [];
  const log = { info: () => undefined, error: (details: object) => errors.push(details) };
  const alertOwners = (fault: string) =>
    raiseAlert(database.pool, { kind: "audit_broken", about: { en: fault, tr: fault }, isOnce: true });
  const watch = open({ tell: tellOfChain(log, alertOwners) });
  await watch.look();
  await database.damage("UPDATE audit_entry SET detail = 'x' WHERE id = 3");
  await watch.look();
  await watch.look();
  expect(errors).toHaveLength(2);
  const { rows } = await database.pool.query("SELECT kind, about ->> 'en' AS fault FROM audit_alert");
  expect(rows).toEqual([{ kind: "audit_broken", fault: "entry 3 was changed after it was sealed (seal 1)" }]);
});

test("entries that wait for their seal for more than half an hour are told", async () => {
  const { pool } = database;
  await fill();
  const writer = await pool.connect();
  try {
    await writer.query("BEGIN; INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
    await pool.query(
      "INSERT INTO audit_entry (action_type, timestamp) VALUES ('VIEW', '2026-11-26T11:45:00Z')",
    );
    const clock = { now: now() };
    const watch = open({ now: () => clock.now });
    await watch.seal();
    expect(watch.check()).toBeUndefined();
    clock.now = new Date("2026-11-26T12:15:01Z");
    await watch.seal();
    expect(watch.check()).toEqual({
      status: "warning",
      reason: "audit_unsealed",
      vars: { when: "2026-11-26 11:45" },
    });
    await writer.query("ROLLBACK");
    await watch.seal();
    await watch.seal();
    expect(watch.check()).toBeUndefined();
  } finally {
    writer.release();
  }
});

test("what the process that sealed before had found stands in the next one, until that has looked itself", async () => {
  await fill();
  await database.damage("UPDATE audit_entry SET detail = 'x' WHERE id = 3");
  let note: ChainNote = {};
  let holder = "first";
  const share = (name: string): ChainDuty => ({
    isShared: true,
    isMine: () => holder === name,
    onGain: () => undefined,
    read: async () => note,
    async write(part) {
      if (holder === name) note = JSON.parse(JSON.stringify({ ...note, ...part }));
      return holder === name;
    },
    giveUp: async () => undefined,
  });
  const first = open({ duty: share("first") });
  await first.look();
  await first.seal();
  const second = open({ duty: share("second") });
  await second.seal();
  holder = "second";
  await second.seal();
  expect(second.check()).toMatchObject({ reason: "audit_broken" });
  expect(note.broken).toBeDefined();
  await database.damage("UPDATE audit_entry SET detail = NULL WHERE id = 3");
  await second.look();
  await second.seal();
  expect(second.check()).toBeUndefined();
  expect(note.broken).toBeUndefined();
});
