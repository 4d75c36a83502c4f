import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("decimal");
  await bench.store(["1.50", "-0.05", "9999999999.99", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["1234.56", "1234.56"],
  [" -0.5 ", "-0.5"],
  ["007.50", "007.50"],
  ["1.5000", "1.5000"],
  ["0", "0"],
  ["", null],
  [null, null],
  [1.5, "invalid_type"],
  ["1,5", "invalid_decimal"],
  ["1e3", "invalid_decimal"],
  [".5", "invalid_decimal"],
  ["NaN", "invalid_decimal"],
  ["Infinity", "invalid_decimal"],
  ["+1", "invalid_decimal"],
  ["٣", "invalid_decimal"],
  ["1.555", "too_many_digits"],
  ["12345678901.00", "too_many_digits"],
  ["9".repeat(5000), "invalid_decimal"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a value is read exactly, with the digits of its column", async () => {
  expect(await bench.read(3)).toEqual({
    read: "9999999999.99",
    json: "9999999999.99",
    texts: { decimal: "9999999999.99" },
  });
  expect((await bench.read(1)).read).toBe("1.50");
});

test.each<[string, unknown, unknown]>([
  ["exact", "1.5", [1]],
  ["exact", 1.5, [1]],
  ["gt", "9999999999.98", [3]],
  ["lte", "-0.05", [2]],
  ["in", "1.500,-0.05", [1, 2]],
  ["range", "-1,2", [1, 2]],
  ["isnull", "true", [4]],
  ["exact", "NaN", "invalid_query"],
  ["exact", "Infinity", "invalid_query"],
  ["exact", "9".repeat(1999), "invalid_query"],
  ["exact", "1\u0000", "invalid_query"],
  ["in", "1,x", "invalid_query"],
  ["range", "1", "invalid_query"],
  ["contains", "1", "unknown_operator"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);

test("values sort as numbers", async () => expect(await bench.sort()).toEqual([2, 1, 3, 4]));
