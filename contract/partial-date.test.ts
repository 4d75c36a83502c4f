import { expect, test } from "@jest/globals";
import { formatPartialDate } from "./partial-date.ts";

test.each([
  ["2019", "2019", "2019"],
  ["2019-03", "Mar 2019", "Mar 2019"],
  ["2019-08", "Aug 2019", "Ağu 2019"],
  ["2019-01-01", "Jan 1, 2019", "1 Oca 2019"],
  ["2019-12-31", "Dec 31, 2019", "31 Ara 2019"],
])("%s is shown as exactly as it is known", (date, en, tr) => {
  expect(formatPartialDate(date, "en")).toBe(en);
  expect(formatPartialDate(date, "tr")).toBe(tr);
});

test.each(["", "soon", "2019-13", "19"])("%j is no partial date and comes back as it is", (date) => {
  expect(formatPartialDate(date, "en")).toBe(date);
});

test.each([
  ["2021", "en", "2021"],
  ["2021-05", "en", "May 2021"],
  ["2021-05-03", "tr", "3 May 2021"],
  ["soon", "en", "soon"],
] as const)("a partial date %s in %s reads %s", (value, lang, expected) => {
  expect(formatPartialDate(value, lang)).toBe(expected);
});
