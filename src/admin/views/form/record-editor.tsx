import { type ComponentType, lazy, type ReactNode, Suspense, useContext, useEffect, useRef } from "react";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { MissingPart } from "../../parts/missing-part.tsx";
import { FormSkeleton } from "../../parts/skeletons.tsx";
import { hasHistory } from "../history/use-history.ts";
import { FormActions } from "./form-actions.tsx";
import { GoneNotice } from "./gone-notice.tsx";
import { RecordForm } from "./record-form.tsx";
import { RecordPartsContext } from "./record-parts.ts";
import { RecordTabs } from "./record-tabs.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { type AfterSave, type Copy, useRecordEditor } from "./use-record-editor.ts";
import { DETAILS, HISTORY, useRecordTab } from "./use-record-tab.ts";

const FORM_ID = "record";

/** Fetched when somebody looks back. A file that is gone does not take the form along. */
const HistoryPanel = lazy<ComponentType<{ model: RecordSource; id: number }>>(() =>
  import("../history/history-panel.tsx").then(
    (file) => ({ default: file.HistoryPanel }),
    () => ({ default: MissingPart }),
  ),
);

export interface RecordEditorViewProps {
  model: RecordSource;
  record: ModelRecord | null;
  copy?: Copy | undefined;
  etag?: string | undefined;
  /** Of fetching the record again while it is open. */
  error?: unknown;
  isJustCreated?: boolean;
  onCreated: (record: ModelRecord, after: AfterSave) => void;
  /** Of a form over a list. */
  onClose?: () => void;
  /** Below the form. */
  children?: ReactNode;
}

/** A version that comes later than the form. */
function useHeard(
  hear: (record: ModelRecord, etag: string | undefined) => void,
  props: RecordEditorViewProps,
) {
  const { record, etag } = props;
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    if (record) latest.current(record, etag);
  }, [record, etag]);
}

/** One record: its form with all that guards what is typed, and its history. Drawers and pages put it where they want it. */
export function RecordEditorView(props: RecordEditorViewProps) {
  const { model, record, copy, etag, error, isJustCreated = false, onCreated, onClose, children } = props;
  const { tab } = useRecordTab();
  const { tabs = [] } = useContext(RecordPartsContext);
  const editor = useRecordEditor({
    model,
    record,
    copy,
    etag,
    isJustCreated,
    onCreated,
    onUpdated: (after) => after === "close" && onClose?.(),
  });
  useHeard(editor.hear, props);
  const hasPast = hasHistory(model);
  const isHistory = tab === HISTORY && record !== null && hasPast;
  const own = record ? tabs.find(({ name }) => name === tab) : undefined;
  const isForm = !isHistory && own === undefined;
  return (
    <>
      {record && (hasPast || tabs.length > 0) && (
        <RecordTabs own={tabs} hasHistory={hasPast} shown={isForm ? DETAILS : tab} />
      )}
      {isHistory && (
        <Suspense fallback={<FormSkeleton />}>
          <HistoryPanel model={model} id={record.id} />
        </Suspense>
      )}
      {record && own && <own.Panel record={record} />}
      <div className="record-form" hidden={!isForm}>
        <GoneNotice model={model} editor={editor} error={error} />
        <RecordForm id={FORM_ID} model={model} record={record} editor={editor} isShown={isForm} />
        {children}
        <FormActions model={model} record={record} editor={editor} onClose={onClose} />
      </div>
      <UnsavedGuard isDirty={editor.isDirty} onAbandon={editor.abandon} />
      <SessionEnded refusals={editor.refusals} onReturn={editor.resume} />
    </>
  );
}
