import { expect, test } from "@jest/globals";
import type { QueryFilter } from "#contract/content/models.ts";
import { toMomentFilters } from "./date-range.ts";

test("a relative range becomes the moment that it begins at, other filters stay", () => {
  const now = Date.parse("2026-11-24T23:30:00.000Z");
  const range = { field: "date_range", moment: "bounced_at" };
  const type: QueryFilter = { field: "bounce_type", operator: "exact", value: "Permanent" };
  const filters: QueryFilter[] = [type, { field: "date_range", operator: "exact", value: "7" }];
  expect(toMomentFilters(filters, range, now)).toEqual([
    type,
    { field: "bounced_at", operator: "gte", value: "2026-11-18T00:00:00.000Z" },
  ]);
  expect(toMomentFilters(filters, undefined, now)).toEqual(filters);
});
