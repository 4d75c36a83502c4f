import { useOne } from "@refinedev/core";
import type { ModelRecord } from "#contract/models.ts";
import { getEtag } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** One record, fetched anew when its form opens: a form must not start from an old copy, and never from another record. */
export function useRecord(model: RecordSource, id: number | undefined) {
  const { query, result } = useOne<ModelRecord>({
    resource: model.resource,
    id: id ?? 0,
    queryOptions: { staleTime: 0, gcTime: 0, enabled: id !== undefined },
    errorNotification: false,
  });
  const record = id !== undefined && query.isFetchedAfterMount ? result : undefined;
  return { query, record, etag: getEtag(query.data) };
}
