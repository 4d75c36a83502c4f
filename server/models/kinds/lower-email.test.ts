import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("lower_email");
  await bench.store(["ada@example.org", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  [" Ada@Example.ORG ", "ada@example.org"],
  ["", null],
  ["ada", "invalid_email"],
  [`${"a".repeat(260)}@example.org`, "too_long"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test.each<[string, unknown, unknown]>([
  ["exact", "ADA@example.org", [1]],
  ["in", "ADA@example.org,x", [1]],
  ["contains", "EXAMPLE", [1]],
  ["isnull", "true", [2]],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
