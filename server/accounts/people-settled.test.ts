import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { orHang } from "#test/until.ts";
import { type RowChange, toRowChange } from "../db/change-notices.ts";
import { createPeople } from "./sessions/socket-people.ts";

/** People whose look-ups end when the test says so. */
function openPeople() {
  let hear = (_modelKey: string, _change: RowChange) => {};
  const queries: PromiseWithResolvers<{ rows: [] }>[] = [];
  const query = () => {
    const asked = Promise.withResolvers<{ rows: [] }>();
    queries.push(asked);
    return asked.promise;
  };
  const people = createPeople({
    pool: { query } as never, // only `query` is used
    feed: {
      subscribe: () => undefined,
      subscribeRows: (listener) => {
        hear = listener;
      },
    },
    clock: () => 0,
  });
  /** Looks as open sockets do: one at a time, and once more for what was noticed meanwhile. */
  let isLooking = false;
  let isAsked = false;
  const look = async () => {
    isAsked = true;
    if (isLooking) return;
    isLooking = true;
    while (isAsked) {
      isAsked = false;
      await people.find(["a session"]).catch(() => undefined);
    }
    isLooking = false;
  };
  return {
    people,
    queries,
    look,
    notice: () => hear("accounts.user", toRowChange("updated", [1])),
    answer: (index: number) => queries[index]?.resolve({ rows: [] }),
    fail: (index: number) => queries[index]?.reject(new Error("a lock")),
  };
}

/** What a promise has come to after a while; undefined while it waits. */
const peek = async <Value>(promise: Promise<Value>) =>
  Promise.race([promise, setTimeout(20).then(() => undefined)]);

test("who waits for people waits for the look under way and for the one behind it, which takes what was noticed meanwhile", async () => {
  const { people, queries, look, notice, answer } = openPeople();
  people.subscribe(look);
  notice();
  await setTimeout(1);
  notice();
  const settled = people.settled();
  expect(await peek(settled)).toBeUndefined();
  answer(0);
  expect(await peek(settled)).toBeUndefined();
  expect(queries).toHaveLength(2);
  answer(1);
  expect(await settled).toBe(true);
});

test("notices that never end keep nobody waiting", async () => {
  const { people, queries, look, notice, answer } = openPeople();
  people.subscribe(look);
  let isOver = false;
  const write = async () => {
    for (let index = 0; !isOver; ) {
      notice();
      await setTimeout(1);
      // Noticed while it is looked: another look follows at once.
      notice();
      await setTimeout(1);
      while (index < queries.length) answer(index++);
    }
  };
  const writing = write();
  await setTimeout(10);
  const outcome = await orHang(people.settled());
  isOver = true;
  await writing;
  expect(outcome).toBe(true);
});

test("when people can't be looked up it says so, and until a look has succeeded", async () => {
  const { people, queries, look, notice, answer, fail } = openPeople();
  const heard: unknown[] = [];
  people.subscribe((userIds) => {
    heard.push(userIds);
    void look();
  });
  notice();
  const failed = people.settled();
  await setTimeout(1);
  fail(0);
  expect(await failed).toBe(false);
  const again = people.settled();
  await setTimeout(1);
  expect(heard).toEqual([[1], undefined]);
  fail(1);
  expect(await again).toBe(false);
  const last = people.settled();
  await setTimeout(1);
  expect(queries).toHaveLength(3);
  answer(2);
  expect(await last).toBe(true);
});

test("a failure that concerned people who are gone by now holds nobody up", async () => {
  const { people, look, notice, fail } = openPeople();
  let isConnected = true;
  people.subscribe(() => void (isConnected && look()));
  notice();
  await setTimeout(1);
  isConnected = false;
  fail(0);
  expect(await people.settled()).toBe(false);
  expect(await people.settled()).toBe(true);
});
