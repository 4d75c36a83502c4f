import { useList } from "@refinedev/core";
import type { ModelRecord } from "#contract/models.ts";
import { toCrudFilter } from "#providers/data.ts";
import { actionsResource } from "#resources/actions.ts";
import { parseEntry } from "./entry.tsx";

/** One entry: the log has no door to one, but its list filters by number. `entry` is null where there is none. */
export function useEntry(id: number) {
  const isNumber = !Number.isNaN(id);
  const { query, result } = useList<ModelRecord>({
    resource: actionsResource.name,
    pagination: { currentPage: 1, pageSize: 1 },
    filters: [toCrudFilter({ field: "id", operator: "exact", value: String(id) })],
    queryOptions: { enabled: isNumber, staleTime: Number.POSITIVE_INFINITY },
    errorNotification: false,
  });
  const [record] = result.data;
  const isKnown = query.isSuccess || !isNumber;
  return { query, entry: record ? parseEntry(record) : isKnown ? null : undefined };
}
