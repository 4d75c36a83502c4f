import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { ListView } from "../../state/list-view.ts";

/** What a list asks of the server: the view's own filters, and what its source adds to them. */
export function toAskedFilters(model: RecordSource, view: ListView): readonly QueryFilter[] {
  return [...view.filters, ...(model.toAddedFilters?.(view) ?? [])];
}
