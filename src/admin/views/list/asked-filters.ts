import type { QueryFilter } from "#contract/models.ts";
import { toMomentFilters } from "#resources/date-range.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { ListView } from "./list-view.ts";

/** What a list asks of the server: the view's own filters, and what its source adds to them. */
export function toAskedFilters(model: RecordSource, view: ListView): readonly QueryFilter[] {
  return [...view.filters, ...(model.toAddedFilters?.(view) ?? [])];
}

/** About how many rows an export has: it takes the view's filters alone. */
export function countExported(model: RecordSource, view: ListView, total: number): number {
  return (model.toAddedFilters?.(view) ?? []).length > 0 ? Math.max(total, model.count) : total;
}

/** The view as the rows' model knows its fields: exports are asked for in its words. */
export function toExportedView(model: RecordSource, view: ListView, nowMs: number): ListView {
  const { toModelFilter, dateRange } = model;
  const meant = view.filters.map((filter) => toModelFilter?.(filter) ?? [[filter]]);
  const all = meant.flatMap(([only = [], ...others]) => (others.length === 0 ? only : []));
  const groups = meant.filter(({ length }) => length > 1);
  return { ...view, filters: toMomentFilters(all, dateRange, nowMs), groups: [...view.groups, ...groups] };
}
