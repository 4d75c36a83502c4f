import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { LiveEvent } from "#contract/content/objects.ts";
import { type ChangeFeed, openChangeFeed } from "#server/db/change-feed.ts";
import { createNotices, notifyChange, type RowChange, toRowChange } from "#server/db/change-notices.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { buildRegistry, ensureContentTypes } from "#server/models/registry/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { EVERY_KIND_SQL, everything } from "#test/every-kind.ts";
import { HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE, VAULT_SQL, vault } from "#test/vault.ts";
import type { LiveReader } from "./audience.ts";
import { createLiveEvents, type LiveEvents } from "./live-events.ts";

const warnings: object[] = [];
const log = { warn: (details: object) => void warnings.push(details) };

let database: TestDatabase;
let feed: ChangeFeed;
let live: LiveEvents;
let settled: () => Promise<boolean> = async () => true;
let type: number;
const queries: string[] = [];
const stops: (() => void)[] = [];

const toReader = (level: number, userId = level): LiveReader => ({ level, userId });
const READ_AGAIN: Partial<LiveEvent> = { type: "updated", ids: [], is_many: true };

function listen(reader: LiveReader | (() => LiveReader | undefined), key = "test.vault") {
  const received: LiveEvent[] = [];
  const getReader = typeof reader === "function" ? reader : () => reader;
  stops.push(live.subscribe(key, getReader, (event) => received.push(event)));
  return received;
}

/** Published to everybody, when a listener of level 999 has received it. */
async function publish(change: RowChange, key = "test.vault") {
  const last: LiveEvent[] = [];
  const stop = live.subscribe(
    key,
    () => toReader(999),
    (event) => last.push(event),
  );
  await notifyChange(database.pool, key, change);
  while (last.length === 0) await setTimeout(2);
  // Its gap is over: the next one is published at once, and apart.
  await setTimeout(5);
  stop();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(VAULT_SQL);
  await database.pool.query(EVERY_KIND_SQL);
  await database.pool.query(
    `INSERT INTO test_everything (title, is_private) SELECT 'Row', i = 2 FROM generate_series(1, 3) i`,
  );
  feed = await openChangeFeed(database.connection, log);
  const declarations = [...DECLARED, vault, everything];
  const registry = buildRegistry(declarations, await ensureContentTypes(database.pool, declarations));
  type = registry.byKey.get("test.vault")?.contentTypeId ?? 0;
  const query = (text: string, values: unknown[]) => {
    queries.push(text);
    return database.pool.query(text, values);
  };
  const pool = { query } as never; // only `query` is used
  live = createLiveEvents({ pool, registry, feed, log, settled: () => settled(), rest: () => setTimeout(1) });
});
beforeEach(() => {
  for (const stop of stops.splice(0)) stop();
  queries.length = 0;
  warnings.length = 0;
});
afterAll(async () => {
  live.close();
  await feed.close();
  await database.close();
});

test.each<[RowChange, Partial<LiveEvent>, Partial<LiveEvent> | undefined]>([
  [toRowChange("updated", [1, 3]), { type: "updated", ids: [1, 3], is_many: false }, { ids: [1, 3] }],
  [toRowChange("updated", [1, 2]), { type: "updated", ids: [1, 2], is_many: false }, READ_AGAIN],
  [toRowChange("updated", [2]), { type: "updated", ids: [2], is_many: false }, READ_AGAIN],
  [toRowChange("created", [3]), { type: "created", ids: [3], is_many: false }, { type: "created", ids: [3] }],
  [toRowChange("created", [2, 3]), { type: "created", ids: [2, 3] }, { type: "created", ids: [3] }],
  [toRowChange("created", [2]), { type: "created", ids: [2] }, undefined],
  [toRowChange("deleted", [2]), { type: "deleted", ids: [2] }, READ_AGAIN],
  [toRowChange("deleted", [777]), { type: "deleted", ids: [777] }, READ_AGAIN],
  [{ type: "created", ids: [], isMany: true }, { type: "created", ids: [], is_many: true }, READ_AGAIN],
])("of %j everybody receives what they may: row 2 is hidden below 999", async (change, all, some) => {
  const received = [1, 5, 9, 10, 500, 999].map((level) => [level, listen(toReader(level))] as const);
  await publish(change);
  const about = { content_type_id: type };
  for (const [level, events] of received) {
    const expected = level < 10 ? undefined : level === 999 ? all : some;
    expect([level, events]).toEqual([
      level,
      expected ? [expect.objectContaining({ ...about, ...expected })] : [],
    ]);
    for (const secret of [HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE])
      expect(JSON.stringify(events)).not.toContain(secret);
  }
});

test("what nobody declared and what a reader may not see can't be subscribed to", () => {
  expect(live.mayReceive("test.vault", toReader(10))).toBe(true);
  expect(live.mayReceive("test.vault", toReader(9))).toBe(false);
  expect(live.mayReceive("test.nothing", toReader(999))).toBe(false);
  expect(live.mayReceive("toString", toReader(999))).toBe(false);
});

test("who loses the level, or is signed out, receives no more, and receives again with it", async () => {
  let reader: LiveReader | undefined = toReader(10);
  const received = listen(() => reader);
  const count = async () => {
    await publish(toRowChange("updated", [1]));
    return received.splice(0).length;
  };
  expect(await count()).toBe(1);
  reader = toReader(1);
  expect(await count()).toBe(0);
  reader = undefined;
  expect(await count()).toBe(0);
  reader = toReader(999);
  expect(await count()).toBe(1);
});

test("who loses the level while it is asked who they are by now receives nothing", async () => {
  let reader = toReader(10);
  settled = async () => {
    await setTimeout(10);
    reader = toReader(1);
    return true;
  };
  const received = listen(() => reader);
  await publish(toRowChange("updated", [1]));
  settled = async () => true;
  expect(received).toEqual([]);
});

test("while nobody can say who readers are nothing is published, and what was written is published afterwards", async () => {
  let asked = 0;
  let reader = toReader(10);
  settled = async () => {
    asked += 1;
    if (asked === 3) reader = toReader(1);
    return asked >= 3;
  };
  const received = listen(() => reader);
  const others = listen(toReader(10));
  await publish(toRowChange("updated", [1]));
  settled = async () => true;
  // Not exactly: a feed that connects again meanwhile has everybody read again, which asks once more.
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(received).toEqual([]);
  expect(others).toContainEqual(expect.objectContaining({ ids: [1] }));
});

test("what waits for readers ends when nobody listens any more", async () => {
  let asked = 0;
  settled = async () => {
    asked += 1;
    return false;
  };
  listen(toReader(10));
  await notifyChange(database.pool, "test.vault", toRowChange("updated", [1]));
  while (asked === 0) await setTimeout(2);
  live.close();
  stops.pop();
  const before = asked;
  await setTimeout(600);
  settled = async () => true;
  expect(asked).toBe(before);
});

test("who stopped receives no more", async () => {
  const received = listen(toReader(10));
  stops.pop()?.();
  await publish(toRowChange("updated", [1]));
  expect(received).toEqual([]);
});

test("five hundred readers of one level cost one query, and none where they meet every row", async () => {
  const received = Array.from({ length: 500 }, (_, i) => listen(toReader(10, i + 1)));
  await publish(toRowChange("updated", [1]));
  expect(queries).toHaveLength(1);
  expect(received.every((events) => events.length === 1)).toBe(true);
  queries.length = 0;
  for (const stop of stops.splice(0)) stop();
  const owners = Array.from({ length: 500 }, (_, i) => listen(toReader(999, i + 1)));
  await publish(toRowChange("updated", [1]));
  expect(queries).toHaveLength(0);
  expect(owners.every((events) => events.length === 1)).toBe(true);
});

test("where a rule speaks of the reader, each is notified of their own rows alone", async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO account_user (username, email, password_hash, access_level_id)
     SELECT 'own_' || i, i || '@example.org', 'x', (SELECT id FROM access_level WHERE level = 10) FROM generate_series(1, 2) i RETURNING id`,
  );
  const [mine = 0, other = 0] = rows.map(({ id }) => id);
  await database.pool.query("UPDATE test_everything SET owner = $1 WHERE id = 2", [mine]);
  const own = listen(toReader(10, mine), "test.everything");
  const ofOther = listen(toReader(10, other), "test.everything");
  const more = listen(toReader(10, other), "test.everything");
  await publish(toRowChange("updated", [2]), "test.everything");
  expect(own).toEqual([expect.objectContaining({ ids: [2], is_many: false })]);
  expect(ofOther).toEqual([expect.objectContaining(READ_AGAIN)]);
  expect(more).toEqual(ofOther);
  expect(queries).toHaveLength(2);
});

test("one who fails keeps nobody else from receiving, and is logged", async () => {
  listen(() => {
    throw new Error("no session store");
  });
  const received = listen(toReader(10));
  await publish(toRowChange("updated", [1]));
  expect(received).toHaveLength(1);
  expect(warnings).toContainEqual(expect.objectContaining({ model: "test.vault" }));
});

test("when the rows can't be read, the list is to be read again, and it is logged", async () => {
  const received = listen(toReader(10));
  await publish(toRowChange("updated", [Number.MAX_VALUE]));
  expect(received).toEqual([expect.objectContaining(READ_AGAIN)]);
  expect(warnings).toHaveLength(1);
});

test("a write that is rolled back is not published", async () => {
  const received = listen(toReader(999));
  const client = await database.pool.connect();
  await client.query("BEGIN");
  await notifyChange(client, "test.vault", toRowChange("updated", [1]));
  await client.query("ROLLBACK");
  client.release();
  await publish(toRowChange("updated", [3]));
  expect(received.map(({ ids }) => ids)).toEqual([[3]]);
});

test("when notices may have been missed, everybody reads again", async () => {
  const received = [listen(toReader(10)), listen(toReader(999)), listen(toReader(1))];
  // An empty notice stands for anything.
  await database.pool.query("SELECT pg_notify('foyer_changed', '')");
  while (received[1]?.length === 0) await setTimeout(2);
  expect(received.map((events) => events.map(({ type, is_many }) => [type, is_many]))).toEqual([
    [["updated", true]],
    [["updated", true]],
    [],
  ]);
});

test("notices behind commits are gathered: one for each model and kind of write, without numbers above a hundred", async () => {
  const received: RowChange[] = [];
  feed.subscribeRows((key, change) => void (key === "test.gathered" && received.push(change)));
  const notices = createNotices(database.pool, log);
  for (let id = 1; id <= 60; id++) notices.publish("test.gathered", toRowChange("created", [id]));
  notices.publish("test.gathered", toRowChange("updated", [1]));
  notices.publish("test.gathered", toRowChange("updated", [1]));
  await notices.flush();
  for (let id = 1; id <= 101; id++) notices.publish("test.gathered", toRowChange("created", [id]));
  await notices.close();
  while (received.length < 3) await setTimeout(2);
  expect(received.map(({ type, ids, isMany }) => [type, ids.length, isMany])).toEqual([
    ["created", 60, false],
    ["updated", 1, false],
    ["created", 0, true],
  ]);
});

test("notices that could not be sent are kept and sent later", async () => {
  const sent: unknown[] = [];
  let isDown = true;
  const query = async (_text: string, values: unknown[]) => {
    if (isDown) throw new Error("down");
    sent.push(...values);
    return { rows: [] };
  };
  const notices = createNotices({ query } as never, log); // only `query` is used
  notices.publish("test.vault", toRowChange("updated", [1]));
  await notices.flush();
  isDown = false;
  notices.publish("test.vault", toRowChange("updated", [2]));
  await notices.close();
  expect(sent).toEqual([['test.vault {"type":"updated","ids":[1,2],"isMany":false}']]);
});
