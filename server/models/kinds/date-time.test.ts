import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("date_time");
  await bench.store(["2024-02-29T12:00:00.5Z", "2024-03-01T00:30:00+03:00", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"],
  ["2024-02-29T12:00:00.123456+03:00", "2024-02-29T12:00:00.123456+03:00"],
  ["", null],
  ["2024-02-29T12:00:00", "invalid_date_time"],
  ["2024-02-29", "invalid_date_time"],
  ["2023-02-29T12:00:00Z", "invalid_date_time"],
  ["0000-01-01T00:00:00Z", "invalid_date_time"],
  ["2024-02-29T12:00:00+23:59", "invalid_date_time"],
  ["2024-02-29T24:00:00Z", "invalid_date_time"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
  ["9999-12-31T23:59:59-14:00", "invalid_date_time"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ["0001-01-01T00:00:00+03:00", "invalid_date_time"],
  ["now", "invalid_date_time"],
  [1709208000, "invalid_type"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a moment is read in UTC, in JSON as in a record, and exported with microseconds", async () => {
  const text = "2024-02-29T12:00:00.5Z";
  const texts = { date_time: text };
  expect(await bench.read(1)).toEqual({ read: text, json: text, texts });
  expect((await bench.read(2)).json).toBe("2024-02-29T21:30:00Z");
});

test.each<[string, unknown, unknown]>([
  ["exact", "2024-02-29T12:00:00.5Z", [1]],
  ["gt", "2024-02-29T18:00:00+03:00", [2]],
  ["range", "2024-02-29,2024-03-01", [1, 2]],
  ["in", "2024-02-29T21:30:00Z", [2]],
  ["isnull", "true", [3]],
  ["lt", "infinity", "invalid_query"],
  ["exact", "2024-02-30", "invalid_query"],
  ["lt", "9999-12-31 23:59-14:00", "invalid_query"],
  ["lt", "9999-12-31 23:59", [1, 2]],
  ["gt", "0001-01-01T00:00+03:00", "invalid_query"],
  ["range", "2024-02-29", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
