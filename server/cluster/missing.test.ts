import { expect, jest, test } from "@jest/globals";
import { createTimers } from "#test/carriers.ts";
import { watchMissing } from "./missing.ts";

/** `pass` lets each look of the time come to its end. */
function open() {
  const timers = createTimers();
  const found = { inDatabase: 2, onLink: ["a.1", "b.1"], isIn: true };
  const log = { warn: jest.fn(), info: jest.fn() };
  const missing = watchMissing({
    link: {
      get isIn() {
        return found.isIn;
      },
      list: () => found.onLink,
    },
    countProcesses: async () => found.inDatabase,
    server: "redis://here",
    log,
    ...timers,
  });
  return { ...timers, found, log, missing };
}

test("processes that use the database and aren't met are missing once that has lasted, and told of once", async () => {
  const { pass, found, log, missing } = open();
  await pass(60_000);
  expect(missing.count).toBe(0);
  found.inDatabase = 4;
  await pass(20_000);
  expect(missing.count).toBe(0);
  await pass(60_000);
  expect(missing.count).toBe(2);
  expect(log.warn.mock.calls.map(([details]) => details)).toEqual([{ missing: 2, server: "redis://here" }]);
  found.onLink = ["a.1", "b.1", "c.1", "d.1"];
  await pass(5_000);
  expect(missing.count).toBe(0);
  expect(log.info).toHaveBeenCalledTimes(1);
});

test("one that comes or goes, and a link that is cut off, leave nobody missing", async () => {
  const { pass, found, missing } = open();
  for (let turn = 0; turn < 5; turn += 1) {
    found.inDatabase = 3;
    await pass(15_000);
    found.inDatabase = 2;
    await pass(5_000);
  }
  expect(missing.count).toBe(0);
  Object.assign(found, { onLink: ["a.1"], isIn: false });
  await pass(60_000);
  expect(missing.count).toBe(0);
  found.isIn = true;
  await pass(30_000);
  expect(missing.count).toBe(1);
});

test("a database that is away changes nothing", async () => {
  const { pass, found, missing } = open();
  found.inDatabase = 3;
  await pass(30_000);
  Object.defineProperty(found, "inDatabase", {
    get: () => {
      throw new Error("away");
    },
  });
  await pass(30_000);
  expect(missing.count).toBe(1);
});
