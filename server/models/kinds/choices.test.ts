import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("choices");
  await bench.store([["red"], ["red", "blue"], ["a,b"], null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  [
    ["blue", "red"],
    ["red", "blue"],
  ],
  [["green"], ["green"]],
  [[], null],
  [null, null],
  [["red", "red"], ["red"]],
  ["red", "invalid_type"],
  [["red", "pink"], "not_a_choice"],
  [["red", 1], "invalid_type"],
  [Array(100).fill("red"), "too_big"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toEqual(checked));

test("values are read as a list, in JSON too, and exported with semicolons", async () => {
  const list = ["red", "blue"];
  expect(await bench.read(2)).toEqual({ read: list, json: list, texts: { choices: "red;blue" } });
  expect((await bench.read(4)).read).toBeNull();
});

test.each<[string, unknown, unknown]>([
  ["contains", "red", [1, 2]],
  ["contains", "pink", []],
  ["in", "blue,green", [2]],
  ["in", ["a,b"], [3]],
  ["isnull", "true", [4]],
  ["exact", "red", "unknown_operator"],
  ["contains", ["red"], "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
