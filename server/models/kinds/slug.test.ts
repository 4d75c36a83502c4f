import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("slug");
  await bench.store(["about-me", "b", null]);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  ["about-me", "about-me"],
  [" 2024 ", "2024"],
  ["", null],
  ["About", "invalid_slug"],
  ["hakkımda", "invalid_slug"],
  ["a--b", "invalid_slug"],
  ["-a", "invalid_slug"],
  ["a-", "invalid_slug"],
  ["a_b", "invalid_slug"],
  ["../etc", "invalid_slug"],
  ["a".repeat(101), "too_long"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a slug is read as text", async () => {
  expect(await bench.read(1)).toEqual({ read: "about-me", json: "about-me", texts: { slug: "about-me" } });
});

test.each<[string, unknown, unknown]>([
  ["exact", "about-me", [1]],
  ["startswith", "about", [1]],
  ["contains", "B", [1, 2]],
  ["in", "b,c", [2]],
  ["isnull", "true", [3]],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
