import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("partial_date");
  await bench.store(["2019", "2019-03", "2019-03-01", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["2019", "2019"],
  ["2019-03", "2019-03"],
  ["", null],
  ["2019-13", "invalid_partial_date"],
  ["2019-02-30", "invalid_partial_date"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test.each<[string, unknown, unknown]>([
  ["exact", "2019", [1]],
  ["range", "2019-03,2019-12", [2, 3]],
  ["lt", "2019-03-01", [1, 2]],
  ["in", "2019,2019-03-01", [1, 3]],
  ["isnull", "false", [1, 2, 3]],
  ["gt", "March", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);

test("less exact dates sort before those they hold", async () =>
  expect(await bench.sort()).toEqual([1, 2, 3, 4]));
