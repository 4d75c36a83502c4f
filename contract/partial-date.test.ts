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
