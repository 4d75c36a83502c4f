import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { LiveEvent } from "#contract/live.ts";
import { type ChangeFeed, notifyChange, openChangeFeed, toRowChange } from "#server/db/changes.ts";
import { createNotices } from "#server/db/notices.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import type { Reader } from "#server/models/reader.ts";
import { buildRegistry } from "#server/models/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE, VAULT_SQL, vault } from "#test/vault.ts";
import { ensureContentTypes } from "./content-types.ts";
import { createLiveEvents, type LiveEvents } from "./live.ts";

const LEVELS = [0, 1, 5, 10, 999];
const warnings: object[] = [];
const log = { warn: (details: object) => void warnings.push(details) };

let database: TestDatabase;
let feed: ChangeFeed;
let live: LiveEvents;
let type: number;
const stops: (() => void)[] = [];

const toReader = (level: number): Reader => ({ lang: "en", level, userId: level });

async function listen(
  level: number,
  key = "test.vault",
  getReader = () => toReader(level) as Reader | undefined,
) {
  const heard: LiveEvent[] = [];
  stops.push(await live.subscribe(key, getReader, (event) => heard.push(event)));
  return heard;
}

/** Everything that was told before has arrived: a change that everybody hears of comes last. */
async function settle(level = 999) {
  const last = await listen(level);
  await notifyChange(database.pool, "test.vault");
  while (last.length === 0 || !last.at(-1)?.is_many) await setTimeout(2);
}

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(VAULT_SQL);
  feed = await openChangeFeed(database.connection, log);
  const declarations = [...DECLARED, vault];
  const registry = buildRegistry(declarations, await ensureContentTypes(database.pool, declarations));
  type = registry.byKey.get("test.vault")?.contentTypeId ?? 0;
  live = createLiveEvents({ pool: database.pool, registry, feed, log });
});
beforeEach(() => {
  for (const stop of stops.splice(0)) stop();
});
afterAll(async () => {
  await feed.close();
  await database.close();
});

test.each(LEVELS)("level %i hears of the rows that it meets, and of no others", async (level) => {
  if (level < 10) {
    await expect(listen(level)).rejects.toMatchObject({ code: "model_not_found" });
    return;
  }
  const heard = await listen(level);
  await notifyChange(database.pool, "test.vault", toRowChange("updated", [1, 3]));
  await notifyChange(database.pool, "test.vault", toRowChange("updated", [1, 2]));
  await notifyChange(database.pool, "test.vault", toRowChange("deleted", [2]));
  await settle();
  const about = { content_type_id: type };
  const readAgain = { ids: [], is_many: true };
  expect(heard.slice(0, 3)).toEqual([
    { ...about, type: "updated", ids: [1, 3], is_many: false },
    { ...about, type: "updated", ...(level === 999 ? { ids: [1, 2], is_many: false } : readAgain) },
    { ...about, type: "deleted", ...(level === 999 ? { ids: [2], is_many: false } : readAgain) },
  ]);
  for (const secret of [HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE])
    expect(JSON.stringify(heard)).not.toContain(secret);
});

test("what nobody declared, and what a reader may not see, look the same", async () => {
  await expect(listen(999, "test.nothing")).rejects.toMatchObject({ code: "model_not_found" });
  await expect(listen(999, "test.vault", () => undefined)).rejects.toMatchObject({ code: "model_not_found" });
});

test("who loses the level, or is signed out, hears no more, and hears again with it", async () => {
  let reader: Reader | undefined = toReader(10);
  const heard = await listen(10, "test.vault", () => reader);
  const tell = async () => {
    await notifyChange(database.pool, "test.vault", toRowChange("updated", [1]));
    await settle();
    return heard.splice(0).filter((event) => !event.is_many).length;
  };
  expect(await tell()).toBe(1);
  reader = toReader(1);
  expect(await tell()).toBe(0);
  reader = undefined;
  expect(await tell()).toBe(0);
  reader = toReader(999);
  expect(await tell()).toBe(1);
});

test("who stopped hears no more", async () => {
  const heard = await listen(10);
  stops.pop()?.();
  await notifyChange(database.pool, "test.vault", toRowChange("updated", [1]));
  await settle();
  expect(heard).toEqual([]);
});

test("one who fails keeps nobody else from hearing, and is logged", async () => {
  let isBroken = false;
  await listen(10, "test.vault", () => {
    if (isBroken) throw new Error("no session store");
    return toReader(10);
  });
  const heard = await listen(10);
  isBroken = true;
  await notifyChange(database.pool, "test.vault", toRowChange("updated", [1]));
  while (heard.length === 0) await setTimeout(2);
  expect(warnings).toContainEqual(expect.objectContaining({ model: "test.vault" }));
});

test("a write that is rolled back is not told", async () => {
  const heard = await listen(999);
  const client = await database.pool.connect();
  await client.query("BEGIN");
  await notifyChange(client, "test.vault", toRowChange("updated", [1]));
  await client.query("ROLLBACK");
  client.release();
  await settle();
  expect(heard.filter((event) => !event.is_many)).toEqual([]);
});

test("notices behind commits are gathered: one for each model and kind of write, without numbers above a hundred", async () => {
  const heard = await listen(999);
  const notices = createNotices(database.pool, log);
  for (let id = 1; id <= 60; id++) notices.tell("test.vault", toRowChange("created", [id]));
  notices.tell("test.vault", toRowChange("updated", [1]));
  notices.tell("test.vault", toRowChange("updated", [1]));
  await notices.flush();
  for (let id = 1; id <= 101; id++) notices.tell("test.vault", toRowChange("created", [id]));
  await notices.close();
  await settle();
  expect(heard.slice(0, 3).map(({ type, ids, is_many }) => [type, ids.length, is_many])).toEqual([
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
  notices.tell("test.vault", toRowChange("updated", [1]));
  await notices.flush();
  isDown = false;
  notices.tell("test.vault", toRowChange("updated", [2]));
  await notices.close();
  expect(sent).toEqual([['test.vault {"type":"updated","ids":[1,2],"isMany":false}']]);
});
