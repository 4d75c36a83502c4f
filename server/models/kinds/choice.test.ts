import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("choice");
  await bench.store(["red", "blue", "withdrawn", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["green", "green"],
  ["", null],
  ["withdrawn", "not_a_choice"],
  ["Red", "not_a_choice"],
  [1, "invalid_type"],
  [["red"], "invalid_type"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a value that was withdrawn from the choices is still read and found", async () => {
  expect(await bench.read(3)).toEqual({
    read: "withdrawn",
    json: "withdrawn",
    texts: { choice: "withdrawn" },
  });
  expect(await bench.find("exact", "withdrawn")).toEqual([3]);
});

test.each<[string, unknown, unknown]>([
  ["exact", "red", [1]],
  ["in", ["red", "blue"], [1, 2]],
  ["isnull", "true", [4]],
  ["contains", "re", "unknown_operator"],
  ["exact", "\ud800", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
