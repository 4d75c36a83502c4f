import { useList } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelInfo, ModelRecord } from "#contract/models.ts";
import { objectsResource } from "#resources/objects.ts";
import { PageHeader } from "../../layout/page-header.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { toEditableModel } from "./editable-model.ts";
import { FormActions } from "./form-actions.tsx";
import { FormSkeleton } from "./form-skeleton.tsx";
import { RecordForm } from "./record-form.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { useRecordEditor } from "./use-record-editor.ts";

const FORM_ID = "record";

interface SingletonEditorProps {
  model: ModelInfo;
  record: ModelRecord | null;
  onCreated: () => void;
}

function SingletonEditor({ model, record, onCreated }: SingletonEditorProps) {
  const editor = useRecordEditor({ model, record, onCreated });
  return (
    <div className="form-page">
      <RecordForm id={FORM_ID} model={model} record={record} editor={editor} />
      <FormActions formId={FORM_ID} model={model} editor={editor} isJustCreated={false} />
      <UnsavedGuard isDirty={editor.isDirty} />
    </div>
  );
}

function SingletonBody({ model }: { model: ModelInfo }) {
  const { t } = useTranslation();
  const { query, result } = useList<ModelRecord>({
    resource: objectsResource(model.content_type_id),
    pagination: { currentPage: 1, pageSize: 1 },
    queryOptions: { staleTime: 0, gcTime: 0 },
    errorNotification: false,
  });
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (!query.isFetchedAfterMount) return <FormSkeleton />;
  const record = result.data[0] ?? null;
  if (!record && !model.permissions.create)
    return <EmptyState title={t("list.none")} text={t("list.noneYet")} />;
  return (
    <SingletonEditor
      key={record?.id ?? "new"}
      model={toEditableModel(model, record === null)}
      record={record}
      onCreated={() => void query.refetch()}
    />
  );
}

/** A model of which there is one record only: its form, without a list around it. */
export function SingletonPage({ model }: { model: ModelInfo }) {
  return (
    <>
      <PageHeader title={model.verbose_name} text={model.description} />
      <SingletonBody model={model} />
    </>
  );
}
