import type { QueryFilter } from "#contract/models.ts";
import type { FieldNames } from "#resources/record-source.ts";
import type { FilterGroup, ListView } from "../state/list-view.ts";

const renameFilter = (filter: QueryFilter, names: FieldNames): QueryFilter => ({
  ...filter,
  field: names[filter.field] ?? filter.field,
});

export function renameGroup(group: FilterGroup, names: FieldNames): FilterGroup {
  return group.map((filters) => filters.map((filter) => renameFilter(filter, names)));
}

/** The same rows and columns in the names of another door to them. */
export function renameFields(view: ListView, names: FieldNames): ListView {
  const toName = (name: string) => names[name] ?? name;
  return {
    ...view,
    filters: view.filters.map((filter) => renameFilter(filter, names)),
    groups: view.groups.map((group) => renameGroup(group, names)),
    sorts: view.sorts.map((sort) => ({ ...sort, field: toName(sort.field) })),
    columns: view.columns.map(toName),
  };
}
