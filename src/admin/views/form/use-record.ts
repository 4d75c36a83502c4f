import { useOne } from "@refinedev/core";
import type { ModelRecord } from "#contract/content/models.ts";
import { getEtag } from "#providers/refine/data.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** One record, fetched anew when its form opens: a form must not start from an old copy, and never from another record. */
export function useRecord(source: RecordSource, id: number | undefined) {
  const { query, result } = useOne<ModelRecord>({
    resource: source.resource,
    id: id ?? 0,
    queryOptions: { staleTime: 0, gcTime: 0, enabled: id !== undefined },
    errorNotification: false,
  });
  const record = id !== undefined && query.isFetchedAfterMount ? result : undefined;
  return { query, record, etag: getEtag(query.data) };
}

/** Whether the person may save this form: a new record needs `create`, an old one `update`. */
export function canSave(source: RecordSource, isNew: boolean): boolean {
  return isNew ? source.permissions.create : source.permissions.update;
}

function asText(source: RecordSource): RecordSource {
  return {
    ...source,
    permissions: { ...source.permissions, update: false },
    fields: source.fields.map((field) => ({ ...field, read_only: true })),
  };
}

/** The model as the person may edit one record of it, null a new one: without the permission every field is text. */
export function toEditableModel(source: RecordSource, record: ModelRecord | null): RecordSource {
  const own = source.ofRecord?.(record) ?? source;
  return record === null || canSave(own, false) ? own : asText(own);
}

/** The model for who only looks at a record: every field is text, and nothing can be done to it. */
export function toReadModel(source: RecordSource, record: ModelRecord): RecordSource {
  const { permissions, ...text } = asText(toEditableModel(source, record));
  return { ...text, permissions: { ...permissions, delete: false } };
}
