import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { type RowChange, toRowChange } from "#server/db/changes.ts";
import { mergeChanges, paceChanges } from "./live-pace.ts";

const GAP_MS = 40;

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

test("the first change is told at once, a burst behind it as one event a gap later", async () => {
  const told: [number, RowChange][] = [];
  const begin = performance.now();
  const changes = paceChanges(async (change) => void told.push([performance.now() - begin, change]), GAP_MS);
  changes.add(toRowChange("created", [1]));
  expect(told).toHaveLength(1);
  for (let id = 2; id <= 2000; id++) changes.add(toRowChange("created", [id]));
  await setTimeout(GAP_MS * 4);
  expect(told.map(([, change]) => change)).toEqual([
    toRowChange("created", [1]),
    { type: "created", ids: [], isMany: true },
  ]);
  expect(told[1]?.[0]).toBeGreaterThanOrEqual(GAP_MS - 2);
  changes.add(toRowChange("deleted", [1]));
  expect(told.at(-1)?.[1]).toEqual(toRowChange("deleted", [1]));
});

test("while one is being told, the next waits, however long that takes", async () => {
  const told: RowChange[] = [];
  const first = Promise.withResolvers<void>();
  const changes = paceChanges(async (change) => {
    told.push(change);
    if (told.length === 1) await first.promise;
  }, 1);
  for (const id of [1, 2, 3]) {
    changes.add(toRowChange("updated", [id]));
    await setTimeout(10);
  }
  expect(told).toHaveLength(1);
  first.resolve();
  await setTimeout(20);
  expect(told[1]).toEqual(toRowChange("updated", [2, 3]));
});

test("what waits when it is closed is told to nobody", async () => {
  const told: RowChange[] = [];
  const changes = paceChanges(async (change) => void told.push(change), 5);
  changes.add(toRowChange("updated", [1]));
  changes.add(toRowChange("updated", [2]));
  changes.close();
  await setTimeout(30);
  expect(told).toHaveLength(1);
});
