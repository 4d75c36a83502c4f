import { Drawer } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useOutletContext, useParams } from "react-router";
import type { ModelInfo, ModelRecord } from "#contract/models.ts";
import { objectPaths } from "#resources/objects.ts";
import { ErrorState } from "../../parts/error-state.tsx";
import { isOpenedFromList, OPENED_FROM_LIST } from "../list/opened-from-list.ts";
import { FormActions } from "./form-actions.tsx";
import { FormSkeleton } from "./form-skeleton.tsx";
import { RecordForm } from "./record-form.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { useRecord } from "./use-record.ts";
import { useRecordEditor } from "./use-record-editor.ts";

const FORM_ID = "record";

/** Back to the list that lies beneath: by history when the form was opened from there, else in place of this address. */
function useClose(model: ModelInfo): () => void {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  return () => {
    if (isOpenedFromList(state)) void navigate(-1);
    else void navigate({ pathname: objectPaths.list(model.content_type_id), search }, { replace: true });
  };
}

interface FrameProps {
  title: string;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
}

function Frame({ title, onClose, footer, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      open
      title={title}
      width="min(760px, 100%)"
      footer={footer}
      onClose={onClose}
      closable={{ "aria-label": t("actions.close") }}
    >
      {children}
    </Drawer>
  );
}

function EditorDrawer({ model, record }: { model: ModelInfo; record: ModelRecord | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const close = useClose(model);
  const editor = useRecordEditor({
    model,
    record,
    onCreated({ id }) {
      const next = { ...(isOpenedFromList(state) && OPENED_FROM_LIST), isJustCreated: true };
      void navigate(
        { pathname: objectPaths.edit(model.content_type_id, id), search },
        { replace: true, state: next },
      );
    },
  });
  const isJustCreated = typeof state === "object" && state !== null && "isJustCreated" in state;
  return (
    <Frame
      title={record ? record.repr : t("form.createTitle", { name: model.verbose_name })}
      onClose={close}
      footer={
        <FormActions
          formId={FORM_ID}
          model={model}
          editor={editor}
          isJustCreated={isJustCreated}
          onClose={close}
        />
      }
    >
      <RecordForm id={FORM_ID} model={model} record={record} editor={editor} />
      <UnsavedGuard isDirty={editor.isDirty} />
    </Frame>
  );
}

/** `/objects/new` */
export function CreateDrawer() {
  return <EditorDrawer model={useOutletContext<ModelInfo>()} record={null} />;
}

function ExistingRecord({ model, id }: { model: ModelInfo; id: number }) {
  const { t } = useTranslation();
  const { query, record } = useRecord(model, id);
  const close = useClose(model);
  if (record) return <EditorDrawer model={model} record={record} />;
  return (
    <Frame title={model.verbose_name} onClose={close}>
      {query.isError ? (
        <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton />
      )}
    </Frame>
  );
}

/** `/objects/:objectId`; a form of its own for each record. */
export function EditDrawer() {
  const model = useOutletContext<ModelInfo>();
  const id = Number(useParams().objectId);
  return <ExistingRecord key={id} model={model} id={id} />;
}
