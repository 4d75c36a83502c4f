import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { notifyChange, openChangeFeed, type RowChange, toRowChange } from "./changes.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ANY = { type: "updated", ids: [], isMany: true };

test("a notice that somebody else wrote counts as a change of any rows of its model, and what follows is heard", async () => {
  const feed = await openChangeFeed(database.connection, { warn: () => undefined });
  const heard: [string, RowChange][] = [];
  feed.subscribeRows((modelKey, change) => heard.push([modelKey, change]));
  const foreign = [
    "cv.link hello",
    "cv.link ",
    "cv.link null",
    "cv.link []",
    'cv.link {"type":"moved","ids":[],"isMany":false}',
    'cv.link {"type":"updated","ids":["1"],"isMany":false}',
    'cv.link {"type":"updated","ids":[1]}',
    "cv.link",
  ];
  for (const payload of foreign)
    await database.pool.query("SELECT pg_notify('foyer_changed', $1)", [payload]);
  await notifyChange(database.pool, "cv.link", toRowChange("deleted", [7]));
  while (heard.length <= foreign.length) await sleep(10);
  expect(heard).toEqual([
    ...foreign.map(() => ["cv.link", ANY]),
    ["cv.link", { type: "deleted", ids: [7], isMany: false }],
  ]);
  await feed.close();
});
