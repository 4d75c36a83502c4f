import type { QueryFilter } from "#contract/models.ts";
import type { QuickFilter } from "#resources/record-source.ts";
import { type FilterGroup, isSameFilter, type ListView } from "../../state/list-view.ts";
import { withoutQuick } from "./quick-filters.tsx";

type Filtered = Pick<ListView, "filters" | "groups">;

/** What one chip says: a filter, or a group. */
export interface Chip {
  key: string;
  group: FilterGroup;
  /** What it is of the view. */
  source: QueryFilter | FilterGroup;
}

/** The chips of a view; what a quick filter or another control (`isShown`) shows already needs none. */
export function toChips(
  quickFilters: readonly QuickFilter[],
  { filters, groups }: Filtered,
  isShown: (filter: QueryFilter) => boolean = () => false,
): Chip[] {
  const single = withoutQuick(quickFilters, filters)
    .filter((filter) => !isShown(filter))
    .map((filter) => ({ group: [[filter]], source: filter }));
  const several = groups.map((group) => ({ group, source: group }));
  return [...single, ...several].map((chip) => ({ ...chip, key: JSON.stringify(chip.group) }));
}

export function removeChip({ filters, groups }: Filtered, { source }: Chip): Filtered {
  return {
    filters: filters.filter((filter) => filter !== source),
    groups: groups.filter((group) => group !== source),
  };
}

/** Filters that are put where one of them stood, each once. */
function putFilters(
  filters: readonly QueryFilter[],
  before: QueryFilter | FilterGroup | undefined,
  put: readonly QueryFilter[],
): QueryFilter[] {
  const others = filters.filter(
    (each) => each === before || !put.some((filter) => isSameFilter(each, filter)),
  );
  if (!others.some((each) => each === before)) return [...others, ...put];
  return others.flatMap((each) => (each === before ? put : each));
}

/** A view with a chip's new words, `before` gone. A single alternative is filters like others: all of them have to hold. */
export function putChip(view: Filtered, before: Chip | undefined, group: FilterGroup): Filtered {
  const [only, ...more] = group;
  if (only && more.length === 0) {
    const filters = putFilters(view.filters, before?.source, only);
    return { filters, groups: view.groups.filter((each) => each !== before?.source) };
  }
  const isReplaced = view.groups.some((each) => each === before?.source);
  return {
    filters: view.filters.filter((filter) => filter !== before?.source),
    groups: isReplaced
      ? view.groups.map((each) => (each === before?.source ? group : each))
      : [...view.groups, group],
  };
}
