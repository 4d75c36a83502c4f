import { useList } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { PageHeader } from "../../navigation/page-header.tsx";
import { ErrorState } from "../../ui/errors.tsx";
import { EmptyState, FormSkeleton } from "../../ui/states.tsx";
import { RecordEditorView } from "../form/record-editor.tsx";
import { toEditableModel, useRecord } from "../form/use-record.ts";
import { useLiveRecord } from "../live/use-live-record.ts";

interface QueryState {
  error: { message: string } | null;
  data: unknown;
  refetch: () => unknown;
}

/** Which of the two questions is still open, or has failed: is there a record, and what does it hold? */
function Waiting({ query }: { query: QueryState }) {
  const { t } = useTranslation();
  if (!query.error) return <FormSkeleton />;
  return (
    <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
  );
}

function StoredSingleton({ source, id }: { source: RecordSource; id: number }) {
  const { query, record, etag } = useRecord(source, id);
  useLiveRecord(source, record?.id, query.refetch);
  if (!record) return <Waiting query={query} />;
  return (
    <RecordEditorView
      source={toEditableModel(source, record)}
      record={record}
      etag={etag}
      error={query.error}
      onCreated={() => undefined}
    />
  );
}

function SingletonBody({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const { query, result } = useList<ModelRecord>({
    resource: source.resource,
    pagination: { currentPage: 1, pageSize: 1 },
    queryOptions: { staleTime: 0, gcTime: 0 },
    errorNotification: false,
  });
  if (!query.isFetchedAfterMount || (query.isError && !query.data)) return <Waiting query={query} />;
  const [record] = result.data;
  if (record) return <StoredSingleton key={record.id} source={source} id={record.id} />;
  if (!source.permissions.create) return <EmptyState title={t("list.none")} text={t("list.noneYet")} />;
  return <RecordEditorView source={source} record={null} onCreated={() => void query.refetch()} />;
}

/** A model of which there is one record only: its form, without a list around it. */
export function SingletonPage({ source }: { source: RecordSource }) {
  return (
    <>
      <PageHeader title={source.verbose_name} text={source.description} />
      <div className="form-page">
        <SingletonBody source={source} />
      </div>
    </>
  );
}
