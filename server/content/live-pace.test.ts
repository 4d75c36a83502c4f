import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { type RowChange, toRowChange } from "#server/db/changes.ts";
import { paceChanges } from "./live-pace.ts";

const GAP_MS = 40;

test("the first change is told at once, a burst behind it as one event a gap later", async () => {
  const told: [number, RowChange][] = [];
  const begin = performance.now();
  const changes = paceChanges(async (change) => void told.push([performance.now() - begin, change]), GAP_MS);
  changes.add(toRowChange("created", [1]));
  expect(told).toHaveLength(1);
  for (let id = 2; id <= 2000; id++) changes.add(toRowChange("created", [id]));
  while (told.length < 2) await setTimeout(2);
  expect(told.map(([, change]) => change)).toEqual([
    toRowChange("created", [1]),
    { type: "created", ids: [], isMany: true },
  ]);
  expect(told[1]?.[0]).toBeGreaterThanOrEqual(GAP_MS - 2);
  changes.add(toRowChange("deleted", [1]));
  while (told.length < 3) await setTimeout(2);
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
  while (told.length < 2) await setTimeout(2);
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
