import { expect, test } from "@jest/globals";
import type { QueryFilter } from "#contract/models.ts";
import type { QuickFilter } from "#resources/record-source.ts";
import { chooseOption, findChosen, withoutQuick } from "./filters/quick-filters.tsx";

const level = (operator: QueryFilter["operator"], value: string): QueryFilter => ({
  field: "level",
  operator,
  value,
});
const ADMIN = [level("gte", "10"), level("lt", "999")];
const GUEST = [level("exact", "0")];
const LEVELS: QuickFilter = {
  labelKey: "x",
  options: [
    { labelKey: "atLeastAdmin", filters: [level("gte", "10")] },
    { labelKey: "admin", filters: ADMIN },
    { labelKey: "guest", filters: GUEST },
  ],
};
const OTHER: QueryFilter = { field: "name", operator: "contains", value: "a" };

test("an option is chosen when all its filters are in the view, the most exact one first", () => {
  expect(findChosen(LEVELS, [OTHER])).toBe(-1);
  expect(findChosen(LEVELS, [...ADMIN, OTHER])).toBe(1);
  expect(findChosen(LEVELS, [level("gte", "10")])).toBe(0);
  expect(findChosen(LEVELS, [level("lt", "999")])).toBe(-1);
});

test("another option takes the place of the one before and leaves other filters alone", () => {
  expect(chooseOption(LEVELS, [...ADMIN, OTHER], 2)).toEqual([OTHER, ...GUEST]);
  expect(chooseOption(LEVELS, [OTHER], 1)).toEqual([OTHER, ...ADMIN]);
});

test("All removes them", () => {
  expect(chooseOption(LEVELS, [...GUEST, OTHER], -1)).toEqual([OTHER]);
});

test("what a select shows is no chip as well", () => {
  expect(withoutQuick([LEVELS], [...ADMIN, OTHER])).toEqual([OTHER]);
  expect(withoutQuick([LEVELS], [level("lt", "999")])).toEqual([level("lt", "999")]);
});
