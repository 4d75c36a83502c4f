import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("date");
  await bench.store(["2024-02-29", "1999-12-31", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["2024-02-29", "2024-02-29"],
  [" 2024-01-01 ", "2024-01-01"],
  ["", null],
  ["2023-02-29", "invalid_date"],
  ["2024-2-9", "invalid_date"],
  ["0000-01-01", "invalid_date"],
  ["12024-01-01", "invalid_date"],
  ["today", "invalid_date"],
  ["infinity", "invalid_date"],
  ["2024-01-01T00:00:00Z", "invalid_date"],
  [20240101, "invalid_type"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a day is read as it was written, in every time zone", async () => {
  const text = "2024-02-29";
  expect(await bench.read(1)).toEqual({ read: text, json: text, texts: { date: text } });
});

test.each<[string, unknown, unknown]>([
  ["exact", "2024-02-29", [1]],
  ["lt", "2000-01-01", [2]],
  ["range", ["1999-12-31", "2024-02-29"], [1, 2]],
  ["in", "1999-12-31,2000-01-01", [2]],
  ["isnull", "false", [1, 2]],
  ["exact", "2024-02-30", "invalid_query"],
  ["exact", "now", "invalid_query"],
  ["range", "1999-12-31", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
