import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("colour");
  await bench.store(["#1a73e8", "#000000", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["#1A73E8", "#1a73e8"],
  [" #ffffff ", "#ffffff"],
  ["", null],
  ["#fff", "invalid_colour"],
  ["1a73e8", "invalid_colour"],
  ["red", "invalid_colour"],
  ["#1a73e8; background: url(x)", "invalid_colour"],
  [0xffffff, "invalid_type"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a colour is read as text", async () => {
  expect(await bench.read(1)).toEqual({ read: "#1a73e8", json: "#1a73e8", texts: { colour: "#1a73e8" } });
});

test.each<[string, unknown, unknown]>([
  ["exact", "#1A73E8", [1]],
  ["in", "#000000,#1a73e8", [1, 2]],
  ["isnull", "true", [3]],
  ["exact", "blue", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
