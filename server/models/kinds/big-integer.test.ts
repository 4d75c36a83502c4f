import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("big_integer");
  await bench.store([9007199254740991, -5, null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  [9007199254740991, 9007199254740991],
  [-3000000000, -3000000000],
  [null, null],
  [9007199254740992, "too_big"],
  [1.5, "invalid_type"],
  ["1", "invalid_type"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a number is read exactly, as a number", async () => {
  const value = 9007199254740991;
  expect(await bench.read(1)).toEqual({ read: value, json: value, texts: { big_integer: String(value) } });
});

test.each<[string, unknown, unknown]>([
  ["exact", "9007199254740991", [1]],
  ["lt", "0", [2]],
  ["range", "-10,10", [2]],
  ["in", [-5, 1], [2]],
  ["isnull", "true", [3]],
  ["exact", "9007199254740993", "invalid_query"],
  ["exact", "99999999999999999999", "invalid_query"],
  ["exact", "1.5", "invalid_query"],
  ["exact", "NaN", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
