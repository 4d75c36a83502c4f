import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { Lane } from "./serial-queue.ts";

/** A lane whose items await a promise that the test settles. */
function createSlowLane() {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const faults: unknown[] = [];
  const lane: Lane<string> = new Lane(
    (item) =>
      lane.await(
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
  return { lane, seen, waiting, faults };
}

test("what needs no waiting is done before add returns", () => {
  const { lane, seen } = createSlowLane();
  lane.add("quick");
  expect(seen).toEqual(["quick"]);
  expect(lane.isIdle).toBe(true);
});

test("what comes while something is awaited keeps its place", async () => {
  const { lane, seen, waiting } = createSlowLane();
  lane.add("slow 1");
  for (const item of ["quick", "slow 2", "last"]) lane.add(item);
  expect(seen).toEqual([]);
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow 1", "quick"]);
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow 1", "quick", "slow 2", "last"]);
  expect(lane.isIdle).toBe(true);
});

test("what was cleared is not done", async () => {
  const { lane, seen, waiting } = createSlowLane();
  lane.add("slow");
  lane.add("quick");
  lane.clear();
  waiting.shift()?.();
  await turn();
  expect(seen).toEqual(["slow"]);
});

test("a fault while settling is heard of, and the rest goes on", async () => {
  const { lane, seen, waiting, faults } = createSlowLane();
  lane.add("slow!");
  lane.add("quick");
  waiting.shift()?.();
  await turn();
  expect(faults).toEqual([new Error("settling failed")]);
  expect(seen).toEqual(["slow!", "quick"]);
});
