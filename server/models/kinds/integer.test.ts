import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("integer");
  await bench.store([2147483647, 0, -3, null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  [0, 0],
  [-2147483647, -2147483647],
  [2147483648, "too_big"],
  [1.5, "invalid_type"],
  ["1", "invalid_type"],
  [null, null],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test.each<[string, unknown, unknown]>([
  ["exact", "2147483647", [1]],
  ["range", "-3,0", [2, 3]],
  ["in", [0, -3], [2, 3]],
  ["gte", 0, [1, 2]],
  ["isnull", "true", [4]],
  ["exact", "2147483648", "invalid_query"],
  ["exact", "1e3", "invalid_query"],
  ["exact", "NaN", "invalid_query"],
  ["range", "1,2,3", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
