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

function StoredSingleton({ model, id }: { model: RecordSource; id: number }) {
  const { query, record, etag } = useRecord(model, id);
  useLiveRecord(model, record?.id, query.refetch);
  if (!record) return <Waiting query={query} />;
  return (
    <RecordEditorView
      model={toEditableModel(model, record)}
      record={record}
      etag={etag}
      error={query.error}
      onCreated={() => undefined}
    />
  );
}

function SingletonBody({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const { query, result } = useList<ModelRecord>({
    resource: model.resource,
    pagination: { currentPage: 1, pageSize: 1 },
    queryOptions: { staleTime: 0, gcTime: 0 },
    errorNotification: false,
  });
  if (!query.isFetchedAfterMount || (query.isError && !query.data)) return <Waiting query={query} />;
  const [record] = result.data;
  if (record) return <StoredSingleton key={record.id} model={model} id={record.id} />;
  if (!model.permissions.create) return <EmptyState title={t("list.none")} text={t("list.noneYet")} />;
  return <RecordEditorView model={model} record={null} onCreated={() => void query.refetch()} />;
}

/** A model of which there is one record only: its form, without a list around it. */
export function SingletonPage({ model }: { model: RecordSource }) {
  return (
    <>
      <PageHeader title={model.verbose_name} text={model.description} />
      <div className="form-page">
        <SingletonBody model={model} />
      </div>
    </>
  );
}
