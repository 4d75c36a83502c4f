import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { QuerySort } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** The sorts that a list is in: the view's own, else the model's. */
export function toCurrentSorts(model: RecordSource, sorts: readonly QuerySort[]): readonly QuerySort[] {
  return sorts.length > 0 ? sorts : model.default_sort;
}

const flip = (direction: QuerySort["direction"]) => (direction === "asc" ? "desc" : "asc");

/** The list by one field alone: ascending first, and the other way where it is so already. */
export function sortBy(current: readonly QuerySort[], field: string): QuerySort[] {
  const [first] = current;
  return [{ field, direction: first?.field === field ? flip(first.direction) : "asc" }];
}

/**
 * A field beside the ones before it: ascending, descending, and gone again. A sort that is the only one stays. `current` itself
 * where there are as many as the server takes.
 */
export function sortAlsoBy(current: readonly QuerySort[], field: string): readonly QuerySort[] {
  const known = current.find((sort) => sort.field === field);
  if (!known)
    return current.length < ADMIN_LIMITS.sortsMax ? [...current, { field, direction: "asc" }] : current;
  if (known.direction === "desc" && current.length > 1) return current.filter((sort) => sort !== known);
  return current.map((sort) => (sort === known ? { field, direction: flip(sort.direction) } : sort));
}
