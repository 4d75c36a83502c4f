import { expect, test } from "@jest/globals";
import { openMemoryCounters } from "#server/base/counters.ts";
import { settle } from "#test/carriers.ts";
import { createLinkedProcesses, type LinkedProcess } from "#test/linked-processes.ts";
import { openHomedCounters } from "./homed-counters.ts";

const RULE = { max: 5, windowMs: 60_000 };
const KEYS = Array.from({ length: 20 }, (_, i) => `key ${i}`);

async function start() {
  const processes = createLinkedProcesses("a", "b", "c");
  await settle();
  let now = 0;
  const open = ({ link }: LinkedProcess) =>
    openHomedCounters({ link, memory: openMemoryCounters(() => now) })("guesses", RULE);
  const counters = [open(processes.a), open(processes.b), open(processes.c)] as const;
  return {
    processes,
    counters,
    pass(ms: number) {
      now += ms;
    },
  };
}

type Counters = Awaited<ReturnType<typeof start>>["counters"];

/** Asks all of them in turn, at once. @returns how many were counted */
async function takeMany(counters: readonly Counters[number][], key: string, count: number): Promise<number> {
  const takings = await Promise.all(
    Array.from({ length: count }, (_, i) => counters[i % counters.length]?.take(key)),
  );
  return takings.filter((taking) => taking?.isTaken).length;
}

test("of those who ask at once everywhere, as many are counted as with one process", async () => {
  const { counters, pass } = await start();
  for (const key of KEYS) {
    expect(await takeMany(counters, key, 30)).toBe(5);
    for (const counter of counters) expect(await counter.getWaitS(key)).toBe(60);
  }
  pass(60_000);
  expect(await takeMany(counters, KEYS[0] ?? "", 30)).toBe(5);
});

test("what is given back at one has room at another", async () => {
  const { counters } = await start();
  const [a, b, c] = counters;
  for (const key of KEYS) {
    const taking = await a.take(key);
    expect(await takeMany([b], key, 4)).toBe(4);
    expect((await c.take(key)).isTaken).toBe(false);
    if (taking.isTaken) await taking.giveBack();
    expect(await c.getWaitS(key)).toBe(0);
    expect(await takeMany([c], key, 2)).toBe(1);
  }
});

test("one of all is the first that refuses", async () => {
  const { counters } = await start();
  const answers = await Promise.all(counters.map((counter) => counter.isFirstRefusal("ada")));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test("without the others each is as strict as it is alone, and with them again none counts anew", async () => {
  const { processes, counters } = await start();
  const [a] = counters;
  for (const key of KEYS) expect(await takeMany([a], key, 3)).toBe(3);
  for (const { carrier } of Object.values(processes)) carrier.setUp(false);
  for (const key of KEYS) expect(await takeMany([a], key, 30)).toBe(2);
  for (const { carrier } of Object.values(processes)) carrier.setUp(true);
  await settle();
  for (const key of KEYS) expect(await takeMany([a], key, 30)).toBe(0);
});
