import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { type RowChange, toRowChange } from "#server/db/change-notices.ts";
import { paceChanges } from "./live-events.ts";

/** Rests that end when the test says so. */
function openRests() {
  const rests: PromiseWithResolvers<void>[] = [];
  const rest = () => {
    const next = Promise.withResolvers<void>();
    rests.push(next);
    return next.promise;
  };
  const end = async () => {
    rests.at(-1)?.resolve();
    await setImmediate();
  };
  return { rest, end, rests };
}

test("the first change is published at once, a burst behind it as one event when the rest is over", async () => {
  const published: RowChange[] = [];
  const { rest, end, rests } = openRests();
  const changes = paceChanges(async (change) => void published.push(change), rest);
  changes.add(toRowChange("created", [1]));
  expect(published).toHaveLength(1);
  for (let id = 2; id <= 2000; id++) changes.add(toRowChange("created", [id]));
  await setImmediate();
  expect(published).toHaveLength(1);
  await end();
  expect(published).toEqual([toRowChange("created", [1]), { type: "created", ids: [], isMany: true }]);
  changes.add(toRowChange("deleted", [1]));
  await setImmediate();
  expect(published).toHaveLength(2);
  await end();
  expect(published.at(-1)).toEqual(toRowChange("deleted", [1]));
  await end();
  changes.add(toRowChange("deleted", [2]));
  expect(published.at(-1)).toEqual(toRowChange("deleted", [2]));
  expect(rests).toHaveLength(4);
});

test("while one is being published, the next waits, however long that takes", async () => {
  const published: RowChange[] = [];
  const first = Promise.withResolvers<void>();
  const { rest, end } = openRests();
  const changes = paceChanges(async (change) => {
    published.push(change);
    if (published.length === 1) await first.promise;
  }, rest);
  for (const id of [1, 2, 3]) {
    changes.add(toRowChange("updated", [id]));
    await end();
  }
  expect(published).toHaveLength(1);
  first.resolve();
  await setImmediate();
  expect(published).toEqual([toRowChange("updated", [1]), toRowChange("updated", [2, 3])]);
});

test("what waits when it is closed is published to nobody", async () => {
  const published: RowChange[] = [];
  const { rest, end } = openRests();
  const changes = paceChanges(async (change) => void published.push(change), rest);
  changes.add(toRowChange("updated", [1]));
  changes.add(toRowChange("updated", [2]));
  changes.close();
  await end();
  expect(published).toHaveLength(1);
});
