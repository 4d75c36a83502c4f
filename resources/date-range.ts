import { DEFAULT_RANGE_DAYS, RANGE_DAYS, toRangeStart } from "#contract/content/lists.ts";
import type { QueryFilter } from "#contract/content/models.ts";
import type { DateRange, QuickFilter } from "./record-source.ts";

const toFilter = (field: string, days: number): QueryFilter => ({
  field,
  operator: "exact",
  value: String(days),
});

/** "Last 7 days" and so on, as a choice above a list. */
export function buildDateRangeFilter(field: string): QuickFilter {
  return {
    labelKey: "list.dateRange.label",
    options: RANGE_DAYS.map((days) => ({
      labelKey: `list.dateRange.last${days}`,
      filters: [toFilter(field, days)],
    })),
  };
}

export function buildDefaultDateRange(field: string): QueryFilter {
  return toFilter(field, DEFAULT_RANGE_DAYS);
}

/** The same filters where only moments are known: exports of the rows have no relative ranges. */
export function toMomentFilters(
  filters: readonly QueryFilter[],
  range: DateRange | undefined,
  nowMs: number,
): readonly QueryFilter[] {
  if (!range) return filters;
  return filters.map((filter) => {
    const start = filter.field === range.field ? toRangeStart(filter.value, nowMs) : undefined;
    return start === undefined ? filter : { field: range.moment, operator: "gte", value: start };
  });
}
