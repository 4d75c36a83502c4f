import type { BulkPreview } from "#contract/bulk.ts";
import { type RowScope, toWhere } from "../views/state/list-view.ts";
import type { Selection } from "../views/state/selection.ts";

/** Operations that write; an export only reads. */
export type WriteOperation = "update" | "delete";

/** One thing that is to happen to the selected rows. */
export interface BulkTask {
  operation: WriteOperation;
  selection: Selection;
  /** What a selection by query is of. */
  view: RowScope;
  /** Of an update: the new values as they travel, by field. */
  data: Readonly<Record<string, unknown>>;
}

function toRows({ selection, view }: BulkTask) {
  if (selection.kind === "ids") return { object_ids: selection.ids };
  const { search, filters, groups } = view;
  const where = toWhere(groups);
  const query = { search, filters, ...(where !== undefined && { where }) };
  return { query, exclude_ids: selection.excluded };
}

/** Body of POST …/bulk/preview/. */
export function toPreviewBody(task: BulkTask): Record<string, unknown> {
  const { operation, data } = task;
  return { operation, ...toRows(task), ...(operation === "update" && { data }) };
}

/**
 * Body of POST …/bulk/, for what the preview has shown: rows that somebody changed since are left alone, and another number of
 * rows is refused. A number that the preview only estimated can't be expected.
 */
export function toRunBody(task: BulkTask, preview: BulkPreview): Record<string, unknown> {
  return {
    ...toPreviewBody(task),
    snapshot: preview.snapshot,
    ...(!preview.count_is_estimate && { expected_count: preview.count }),
  };
}
