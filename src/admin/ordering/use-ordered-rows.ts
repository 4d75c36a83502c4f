import { useList } from "@refinedev/core";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** The objects in the model's own order, as many as one page holds. Live events refresh them like every list of the model. */
export function useOrderedRows(model: RecordSource) {
  const { query, result } = useList<ModelRecord>({
    resource: model.resource,
    pagination: { currentPage: 1, pageSize: ADMIN_LIMITS.pageSizeMax },
    errorNotification: false,
  });
  const total = result.total ?? 0;
  const isAll = total <= ADMIN_LIMITS.pageSizeMax;
  return {
    query,
    total,
    rows: isAll ? result.data : result.data.slice(0, -1),
    /** What follows the last of the rows: of more than a page the last one only says where the others end. */
    tail: isAll ? null : (result.data.at(-1)?.id ?? null),
  };
}
