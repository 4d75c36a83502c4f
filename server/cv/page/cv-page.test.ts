import { expect, test } from "@jest/globals";
import { toPeriodText } from "./cv-page.ts";

test.each([
  ["2019-08", "2021", "Aug 2019 – 2021", "Ağu 2019 – 2021"],
  ["2021-03-04", null, "Mar 4, 2021 – present", "4 Mar 2021 – halen"],
  [null, "2014", "2014", "2014"],
  ["2014-06", "2014-06", "Jun 2014", "Haz 2014"],
  [null, null, null, null],
])("from %s to %s", (start, end, inEnglish, inTurkish) => {
  expect(toPeriodText(start, end, "en")).toBe(inEnglish);
  expect(toPeriodText(start, end, "tr")).toBe(inTurkish);
});
