import { useList } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { PageHeader } from "../../layout/page-header.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { toEditableModel } from "./editable-model.ts";
import { FormActions } from "./form-actions.tsx";
import { FormSkeleton } from "./form-skeleton.tsx";
import { RecordForm } from "./record-form.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { useRecord } from "./use-record.ts";
import { useRecordEditor } from "./use-record-editor.ts";

const FORM_ID = "record";

interface SingletonEditorProps {
  model: RecordSource;
  record: ModelRecord | null;
  etag?: string | undefined;
  onCreated: () => void;
}

function SingletonEditor({ model, record, etag, onCreated }: SingletonEditorProps) {
  const editor = useRecordEditor({ model, record, etag, onCreated });
  return (
    <div className="form-page">
      <RecordForm id={FORM_ID} model={model} record={record} editor={editor} />
      <FormActions formId={FORM_ID} model={model} editor={editor} isJustCreated={false} />
      <UnsavedGuard isDirty={editor.isDirty} />
    </div>
  );
}

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
  if (!record) return <Waiting query={query} />;
  return (
    <SingletonEditor
      model={toEditableModel(model, false)}
      record={record}
      etag={etag}
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
  return <SingletonEditor model={model} record={null} onCreated={() => void query.refetch()} />;
}

/** A model of which there is one record only: its form, without a list around it. */
export function SingletonPage({ model }: { model: RecordSource }) {
  return (
    <>
      <PageHeader title={model.verbose_name} text={model.description} />
      <SingletonBody model={model} />
    </>
  );
}
