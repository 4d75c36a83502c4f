/** @jest-environment node */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { toDayEnd, toLocalDay, toLocalTime, toMoment } from "./days.ts";

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
  const file = JSON.stringify(join(import.meta.dirname, "days.ts"));
  const script = `const { toDayEnd } = await import(${file}); console.log(toDayEnd("2026-04-24"))`;
  const env = { ...process.env, TZ: "Africa/Cairo" };
  const options = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  expect(execFileSync(process.execPath, options, { env, encoding: "utf8" }).trim()).toBe(
    "2026-04-24T21:00:00.000Z",
  );
});

test.each(["0002-11-20T10:00:00", "0020-11-20T10:00:00", "0202-11-20T10:00:00", "2026-11-20T10:00:00"])(
  "a year on its way stays in the input as it is typed: %s",
  (typed) => {
    expect(toMoment(typed)).toBe(new Date(typed).toISOString());
    expect(toLocalTime(toMoment(typed))).toBe(typed);
  },
);

test("what names no moment is none", () => {
  expect([toMoment(""), toMoment("2026-13-01T00:00"), toLocalTime(null), toLocalTime("x")]).toEqual([
    "",
    "",
    "",
    "",
  ]);
});
