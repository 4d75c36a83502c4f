import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { asLogOwner } from "#test/database.ts";
import { countWaiting, meetAtLock } from "#test/meet-at-lock.ts";
import { until } from "#test/until.ts";
import { openTestOutbox, type TestOutbox } from "../outbox/test-outbox.ts";
import { lockAddresses } from "./suppression-store.ts";
import type { SuppressionAuthor } from "./suppressions.ts";

const SECRET = Buffer.alloc(32, 7);
const DAY_MS = 24 * 60 * 60 * 1000;
const STOP = {
  address: "ada@foyer.example",
  scope: "all",
  reason: "asked",
  source: "admin",
  sourceEventId: null,
  expiresAt: null,
} as const;

let outbox: TestOutbox;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  await outbox.empty();
  await asLogOwner(outbox.pool, "DELETE FROM mail_suppression_change; DELETE FROM audit_entry");
});

const read = async () =>
  (
    await outbox.pool.query(
      "SELECT address, scope, reason, source, created_by_id, created_at, expires_at FROM mail_suppression ORDER BY address, scope",
    )
  ).rows;

const idsOf = async (address: string) =>
  (
    await outbox.pool.query<{ id: number }>("SELECT id FROM mail_suppression WHERE address = $1", [address])
  ).rows.map(({ id }) => id);

function toAuthor(): SuppressionAuthor {
  return { actor: { ...SYSTEM_ACTOR, userId: outbox.userId }, batchId: randomUUID(), detail: "test" };
}

const within = <Answer>(work: Parameters<typeof withTransaction<Answer>>[1]) =>
  withTransaction(outbox.pool, work);

test("of two suppressions of one address the longer one holds, and a shorter one changes nothing", async () => {
  const later = new Date(outbox.clock.now + DAY_MS).toISOString();
  await outbox.suppress({ ...STOP, expiresAt: later });
  const shorter = { ...STOP, expiresAt: new Date(outbox.clock.now).toISOString(), reason: "again" };
  expect(await outbox.suppress(shorter)).toMatchObject({ isNew: false });
  expect(await read()).toMatchObject([{ reason: "asked", expires_at: expect.anything() }]);
  await outbox.suppress({ ...STOP, address: "ADA@Foyer.example", reason: "for good" });
  await outbox.suppress({ ...STOP, expiresAt: later });
  expect(await read()).toMatchObject([{ reason: "for good", expires_at: null }]);
});

test("what the server stopped becomes staff's when they add it, and the server's again by undo", async () => {
  const bounced = { ...STOP, source: "bounce", reason: "no such mailbox" };
  await outbox.suppress(bounced);
  const author = toAuthor();
  const add = (expiresAt: string | null, by = author) =>
    within((db) => outbox.suppressions.suppress(db, { ...STOP, expiresAt }, by));
  expect(await add(new Date(outbox.clock.now + DAY_MS).toISOString())).toMatchObject({ isNew: false });
  expect(await add(null)).toMatchObject({ isNew: true });
  expect(await add(null, toAuthor())).toMatchObject({ isNew: false });
  await outbox.suppress(bounced);
  expect(await read()).toMatchObject([{ source: "admin", reason: "asked", created_by_id: outbox.userId }]);
  await within((db) => outbox.suppressions.undo(db, author.batchId, author.actor));
  expect(await read()).toMatchObject([{ source: "bounce", reason: "no such mailbox" }]);
});

test("staff's stop that ends one day is made longer by what the server and the person add, and stays staff's", async () => {
  const author = toAuthor();
  const until = new Date(outbox.clock.now + DAY_MS).toISOString();
  await within((db) => outbox.suppressions.suppress(db, { ...STOP, expiresAt: until }, author));
  await outbox.suppress({ ...STOP, source: "bounce", reason: "no such mailbox" });
  expect(await read()).toMatchObject([
    { source: "admin", reason: "asked", created_by_id: outbox.userId, expires_at: null },
  ]);
});

test("undoing a call puts back exactly what stood before it", async () => {
  const { suppressions } = outbox;
  await outbox.suppress({ ...STOP, scope: "optional", reason: "the link", source: "unsubscribe" });
  const expiresAt = new Date(outbox.clock.now + DAY_MS).toISOString();
  await outbox.suppress({ ...STOP, address: "eve@foyer.example", expiresAt, source: "bounce" });
  const before = await read();
  outbox.clock.now += DAY_MS / 2;
  const author = toAuthor();
  await within(async (db) => {
    await suppressions.lift(db, await idsOf("ada@foyer.example"), author, "a mistake");
    await suppressions.suppress(db, { ...STOP, address: "eve@foyer.example" }, author);
    await suppressions.suppress(db, { ...STOP, address: "new@foyer.example" }, author);
  });
  expect(await read()).not.toEqual(before);
  const undone = await within((db) => suppressions.undo(db, author.batchId, author.actor));
  expect(undone).toMatchObject({ undone: 3, kept: 0 });
  expect(undone.lifted.map(({ address }) => address)).toEqual(["new@foyer.example"]);
  expect(await read()).toEqual(before);
  expect(await within((db) => suppressions.undo(db, author.batchId, author.actor))).toMatchObject({
    undone: 0,
    kept: 0,
  });
});

test("many addresses need one lock, which one address waits for too", async () => {
  const many = Array.from({ length: 101 }, (_, index) => `p${index}@foyer.example`);
  const lock = (db: Queryable, addresses: readonly string[]) => lockAddresses(db, addresses, [SECRET]);
  const countLocks = async (db: Queryable) =>
    (await db.query("SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'")).rowCount;
  expect(await within(async (db) => lock(db, many).then(() => countLocks(db)))).toBe(1);
  const one = () => within((db) => lock(db, ["p1@foyer.example"]));
  expect(await meetAtLock(outbox.pool, (db) => lock(db, many), [one])).toMatchObject({ waited: 1 });
  const other = () => within((db) => lock(db, ["p2@foyer.example"]));
  const lockOne = (db: Queryable) => lock(db, ["p1@foyer.example"]);
  expect(await meetAtLock(outbox.pool, lockOne, [one, other])).toMatchObject({ waited: 1 });
});

test("undo waits for who deletes the account behind an address, and neither ends the other", async () => {
  const author = toAuthor();
  await within((db) => outbox.suppressions.suppress(db, STOP, author));
  const undo = () =>
    within((db) => outbox.suppressions.undo(db, author.batchId, author.actor)).then(({ undone }) => undone);
  const { undone } = await within(async (db) => {
    await lockAddresses(db, [STOP.address], [SECRET]);
    const undone = undo();
    await until(async () => (await countWaiting(outbox.pool)) === 1);
    await db.query("UPDATE mail_suppression_change SET address = address");
    return { undone };
  });
  expect(await undone).toBe(1);
});

test("what was changed since is not undone", async () => {
  const { suppressions } = outbox;
  const author = toAuthor();
  await within((db) => suppressions.suppress(db, STOP, author));
  const ids = await idsOf(STOP.address);
  await within((db) => suppressions.lift(db, ids, toAuthor(), "it works again"));
  await outbox.suppress({ ...STOP, reason: "another" });
  expect(await within((db) => suppressions.undo(db, author.batchId, author.actor))).toMatchObject({
    undone: 0,
    kept: 1,
  });
  expect(await read()).toMatchObject([{ reason: "another" }]);
});

test("each change has its entry, which names the address in part only", async () => {
  const author = toAuthor();
  await within((db) => outbox.suppressions.suppress(db, STOP, author));
  const ids = await idsOf(STOP.address);
  await within((db) => outbox.suppressions.lift(db, ids, author, "why"));
  const { rows } = await outbox.pool.query(
    "SELECT user_id, action_type, detail, object_repr, change_message FROM audit_entry ORDER BY id",
  );
  const same = { user_id: outbox.userId, detail: "test", object_repr: "a…@foyer.example" };
  expect(rows).toEqual([
    { ...same, action_type: "CREATE", change_message: "asked" },
    { ...same, action_type: "DELETE", change_message: "why" },
  ]);
});
