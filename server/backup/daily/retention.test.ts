import { expect, test } from "@jest/globals";
import { toStamp } from "../data-folders.ts";
import { listExpired, toDailyName } from "./retention.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const name = (moment: number) => toDailyName(toStamp(new Date(moment)));
const START = Date.parse("2026-01-01T03:30:00Z");

/** What a folder holds after so many days with a backup each. */
function runDays(count: number): string[] {
  let kept: string[] = [];
  for (let day = 0; day < count; day++) {
    kept.push(name(START + day * DAY_MS));
    const expired = listExpired(kept);
    kept = kept.filter((one) => !expired.includes(one));
  }
  return kept;
}

test("after a year of days there are 7 days, 4 weeks and 6 months, the newest of each", () => {
  expect(runDays(365).map((one) => one.slice(6, 14))).toEqual([
    ...["20260731", "20260831", "20260930", "20261031", "20261130"],
    ...["20261213", "20261220"],
    ...["20261225", "20261226", "20261227", "20261228", "20261229", "20261230", "20261231"],
  ]);
});

test("of several a day the newest stays", () => {
  const day = [0, 1, 2].map((hour) => name(START + hour * 3_600_000));
  expect(listExpired(day)).toEqual(day.slice(0, 2));
});

test("time alone removes nothing, and the last one never goes", () => {
  expect(listExpired([name(START)])).toEqual([]);
  expect(listExpired(runDays(30).slice(-7))).toEqual([]);
});

test("what the server didn't make stays, however many there are", () => {
  const others = Array.from({ length: 40 }, (_, index) => `site-${index}.zip`);
  const odd = [
    "daily-20260101T033000Z.zip.1a2b.part",
    "daily-2026.zip",
    "before-0001_x-20260101T033000Z.zip",
  ];
  expect(listExpired([...others, ...odd, name(START)])).toEqual([]);
});
