import { expect, test } from "@jest/globals";
import { toRangeStart } from "./lists.ts";

const NOW = Date.parse("2026-11-24T23:30:00.000Z");

test.each([
  ["1", "2026-11-24T00:00:00.000Z"],
  ["7", "2026-11-18T00:00:00.000Z"],
  ["30", "2026-10-26T00:00:00.000Z"],
])("%s days are today and the ones before, in UTC", (days, start) => {
  expect(toRangeStart(days, NOW)).toBe(start);
});

test.each(["all", "0", "-7", "1.5", ""])("%j is no number of days", (days) => {
  expect(toRangeStart(days, NOW)).toBeUndefined();
});
