import { expect, test } from "@jest/globals";
import { USER_FILTERS } from "./users.ts";

test("the filters of the users' list are the documented ones, and those of whoever waits", () => {
  const filters = USER_FILTERS.flatMap(({ options }) => options).map((option) =>
    option.filters.map(({ field, operator, value }) => `${field} ${operator} ${value}`).join(", "),
  );
  expect(filters).toEqual([
    "is_staff exact true",
    "is_staff exact false",
    "access_level exact 999",
    "access_level gte 10, access_level lt 999",
    "access_level gte 1, access_level lt 10",
    "access_level exact 0",
    "admission exact waiting",
    "admission exact refused",
  ]);
});
