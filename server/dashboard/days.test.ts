import { expect, test } from "@jest/globals";
import { createDailyCounts, toLastDays } from "./service.ts";

const NOW = new Date("2026-03-01T23:59:59Z");

test("the last days end today and know February", () => {
  expect(toLastDays(NOW, 3)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

test("days that are over are counted once, today each time", async () => {
  const asked: string[] = [];
  let today = 1;
  const count = createDailyCounts(async (since) => {
    asked.push(since);
    return [
      { day: "2026-02-28", count: 7 },
      { day: "2026-03-01", count: today },
    ].filter(({ day }) => day >= since);
  });
  const days = toLastDays(NOW, 3);
  expect([...(await count(days))]).toEqual([
    ["2026-02-27", 0],
    ["2026-02-28", 7],
    ["2026-03-01", 1],
  ]);
  today = 2;
  expect((await count(days)).get("2026-03-01")).toBe(2);
  expect((await count(days)).get("2026-02-28")).toBe(7);
  expect(asked).toEqual(["2026-02-27", "2026-03-01", "2026-03-01"]);
});

test("the day after, yesterday is counted once more", async () => {
  const asked: string[] = [];
  const count = createDailyCounts(async (since) => {
    asked.push(since);
    return [];
  });
  await count(toLastDays(NOW, 3));
  await count(toLastDays(new Date("2026-03-02T00:00:00Z"), 3));
  expect(asked).toEqual(["2026-02-27", "2026-03-01"]);
});
