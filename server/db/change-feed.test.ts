import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openChangeFeed } from "./change-feed.ts";
import { mergeChanges, notifyChange, type RowChange, toRowChange } from "./change-notices.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ANY = { type: "updated", ids: [], isMany: true };

test("a notice that somebody else wrote counts as a change of any rows of its model, and what follows is received", async () => {
  const feed = await openChangeFeed(database.connection, { warn: () => undefined });
  const received: [string, RowChange][] = [];
  feed.subscribeRows((modelKey, change) => received.push([modelKey, change]));
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
  while (received.length <= foreign.length) await sleep(10);
  expect(received).toEqual([
    ...foreign.map(() => ["cv.link", ANY]),
    ["cv.link", { type: "deleted", ids: [7], isMany: false }],
  ]);
  await feed.close();
});

test.each<[string, RowChange, RowChange, RowChange]>([
  [
    "the same type stays, each id once",
    toRowChange("created", [1, 2]),
    toRowChange("created", [2, 3]),
    { type: "created", ids: [1, 2, 3], isMany: false },
  ],
  [
    "different types are an update",
    toRowChange("created", [1]),
    toRowChange("deleted", [2]),
    { type: "updated", ids: [1, 2], isMany: false },
  ],
  [
    "many stay many",
    { type: "deleted", ids: [], isMany: true },
    toRowChange("deleted", [2]),
    { type: "deleted", ids: [], isMany: true },
  ],
  [
    "more than a hundred become many",
    toRowChange(
      "updated",
      Array.from({ length: 100 }, (_, i) => i),
    ),
    toRowChange("updated", [100]),
    { type: "updated", ids: [], isMany: true },
  ],
])("two changes as one: %s", (_rule, first, second, merged) => {
  expect(mergeChanges(first, second)).toEqual(merged);
});
