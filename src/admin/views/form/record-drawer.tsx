import { Drawer } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useOutletContext, useParams } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { toId } from "../../parts/to-id.ts";
import { useReturnedFocus } from "../../parts/use-returned-focus.ts";
import { isOpenedFromList, OPENED_FROM_LIST } from "../list/opened-from-list.ts";
import { canSave, toEditableModel } from "./editable-model.ts";
import { FormActions } from "./form-actions.tsx";
import { FormSkeleton } from "./form-skeleton.tsx";
import { RecordForm } from "./record-form.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { useRecord } from "./use-record.ts";
import { useRecordEditor } from "./use-record-editor.ts";

const FORM_ID = "record";

/** Back to the list that lies beneath: by history when the form was opened from there, else in place of this address. */
function useClose(model: RecordSource): () => void {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  return () => {
    if (isOpenedFromList(state)) void navigate(-1);
    else void navigate({ pathname: model.paths.list, search }, { replace: true });
  };
}

/** Where antd's drawer listens for Escape and keeps the focus. */
const DRAWER_ROOT = ".ant-drawer";

/** A form that gives way to the next one takes the focus with it; the drawer gets it back, so that Escape still closes it. */
function useKeptFocus() {
  const editor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) editor.current?.closest<HTMLElement>(DRAWER_ROOT)?.focus();
  }, []);
  return editor;
}

interface EditorProps {
  model: RecordSource;
  record: ModelRecord | null;
  etag?: string | undefined;
  onClose: () => void;
}

function Editor({ model, record, etag, onClose }: EditorProps) {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const container = useKeptFocus();
  const editor = useRecordEditor({
    model,
    record,
    etag,
    onCreated({ id }) {
      const next = { ...(isOpenedFromList(state) && OPENED_FROM_LIST), isJustCreated: true };
      void navigate({ pathname: model.paths.edit(id), search }, { replace: true, state: next });
    },
  });
  const isJustCreated = typeof state === "object" && state !== null && "isJustCreated" in state;
  return (
    <div ref={container} className="record-editor">
      <RecordForm id={FORM_ID} model={model} record={record} editor={editor} />
      <FormActions
        formId={FORM_ID}
        model={model}
        editor={editor}
        isJustCreated={isJustCreated}
        onClose={onClose}
      />
      <UnsavedGuard isDirty={editor.isDirty} />
    </div>
  );
}

interface RecordBodyProps {
  model: RecordSource;
  /** Undefined makes a new record. */
  id: number | undefined;
  onClose: () => void;
  loaded: ReturnType<typeof useRecord>;
}

function RecordBody({ model, id, onClose, loaded: { query, record, etag } }: RecordBodyProps) {
  const { t } = useTranslation();
  if (id === undefined) {
    if (canSave(model, true)) return <Editor key="new" model={model} record={null} onClose={onClose} />;
    return <EmptyState title={t("form.notAllowed")} text={t("form.notAllowedHelp")} />;
  }
  // A form of its own for each record.
  if (record)
    return (
      <Editor key={id} model={toEditableModel(model, false)} record={record} etag={etag} onClose={onClose} />
    );
  if (query.isError) {
    return (
      <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return <FormSkeleton />;
}

/**
 * `/objects/new` and `/objects/:objectId`, over the list. One component for both, so that the drawer stays where it is while
 * its record loads and when a new record gets its address.
 */
export function RecordDrawer() {
  const { t } = useTranslation();
  const model = useOutletContext<RecordSource>();
  const { objectId } = useParams();
  const id = objectId === undefined ? undefined : toId(objectId);
  const loaded = useRecord(model, id);
  const close = useClose(model);
  useReturnedFocus();
  const title =
    id === undefined
      ? t("form.createTitle", { name: model.verbose_name })
      : (loaded.record?.repr ?? model.verbose_name);
  return (
    <Drawer
      open
      title={title}
      width="min(760px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
    >
      <RecordBody model={model} id={id} onClose={close} loaded={loaded} />
    </Drawer>
  );
}
