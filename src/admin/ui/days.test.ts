/** @jest-environment node */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { toDayEnd, toLocalDay, toLocalTime, toMoment } from "./days.ts";

/** What a function of days.ts answers to a reader of another time zone. */
function callIn(timeZone: string, call: string): string {
  const file = JSON.stringify(join(import.meta.dirname, "days.ts"));
  const script = `const { toDayEnd, toLocalTime } = await import(${file}); console.log(${call})`;
  const env = { ...process.env, TZ: timeZone };
  const options = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  return execFileSync(process.execPath, options, { env, encoding: "utf8" }).trim();
}

test.each([
  ["2026-11-20", new Date(2026, 10, 21)],
  ["2026-03-29", new Date(2026, 2, 30)],
  ["2026-12-31", new Date(2027, 0, 1)],
  ["9999-12-30", new Date(9999, 11, 31)],
])("%s is over when the next day begins where the reader is", (day, end) => {
  expect(toDayEnd(day)).toBe(end.toISOString());
  expect(toLocalDay(new Date(end.getTime() - 1))).toBe(day);
  expect(toLocalDay(end)).not.toBe(day);
});

test("a day that begins at one o'clock, as clocks go forward at midnight, ends at the next midnight", () => {
  expect(callIn("Africa/Cairo", 'toDayEnd("2026-04-24")')).toBe("2026-04-24T21:00:00.000Z");
});

test("a day without a time is the moment at which the server begins it", () => {
  expect(callIn("Europe/Istanbul", 'toLocalTime("2026-11-20")')).toBe("2026-11-20T03:00:00");
});

test.each(["0002-11-20T10:00:00", "0020-11-20T10:00:00", "0202-11-20T10:00:00", "2026-11-20T10:00:00"])(
  "a year on its way stays in the input as it is typed: %s",
  (typed) => {
    expect(toMoment(typed)).toBe(new Date(typed).toISOString());
    expect(toLocalTime(toMoment(typed))).toBe(typed);
  },
);

test("what names no moment is none", () => {
  const none = [toMoment(""), toMoment("2026-13-01T00:00"), toLocalTime(null), toLocalTime("2026-13-45")];
  expect(none).toEqual(["", "", "", ""]);
});
