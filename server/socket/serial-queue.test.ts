import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { SerialQueue } from "./serial-queue.ts";

/** A queue whose items await a promise that the test settles. */
function createSlowQueue() {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const faults: unknown[] = [];
  const queue: SerialQueue<string> = new SerialQueue(
    (item) =>
      queue.await(
        () =>
          item.startsWith("slow") ? new Promise<void>((resolve) => void waiting.push(resolve)) : undefined,
        () => {
          seen.push(item);
          if (item.endsWith("!")) throw new Error("settling failed");
        },
        () => seen.push(`failed ${item}`),
      ),
    (error) => faults.push(error),
  );
  return { queue, seen, waiting, faults };
}

test("what needs no waiting is done before add returns", () => {
  const { queue, seen } = createSlowQueue();
  queue.add("quick");
  expect(seen).toEqual(["quick"]);
  expect(queue.isIdle).toBe(true);
});

test("what comes while something is awaited keeps its place", async () => {
  const { queue, seen, waiting } = createSlowQueue();
  queue.add("slow 1");
  for (const item of ["quick", "slow 2", "last"]) queue.add(item);
  expect(seen).toEqual([]);
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow 1", "quick"]);
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow 1", "quick", "slow 2", "last"]);
  expect(queue.isIdle).toBe(true);
});

test("what was cleared is not done", async () => {
  const { queue, seen, waiting } = createSlowQueue();
  queue.add("slow");
  queue.add("quick");
  queue.clear();
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow"]);
});

test("a fault while settling is reported, and the rest goes on", async () => {
  const { queue, seen, waiting, faults } = createSlowQueue();
  queue.add("slow!");
  queue.add("quick");
  waiting.shift()?.();
  await turn();
  expect(faults).toEqual([new Error("settling failed")]);
  expect(seen).toEqual(["slow!", "quick"]);
});
