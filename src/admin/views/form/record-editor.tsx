import { Alert, Button } from "antd";
import { type ComponentType, lazy, type ReactNode, Suspense, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { MissingPart, toErrorText } from "../../ui/errors.tsx";
import { FormSkeleton } from "../../ui/states.tsx";
import { hasHistory } from "../history/use-history.ts";
import { type OwnTab, RecordPartsContext } from "../state/list-context.ts";
import { DETAILS, HISTORY, useRecordTab } from "../state/record-address.ts";
import type { AfterSave } from "./editor-machine.ts";
import { FormActions } from "./form-actions.tsx";
import { useUnitName } from "./form-notices.tsx";
import { listUnits, readUnit } from "./merge-inputs.ts";
import { RecordForm } from "./record-form.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import { type Copy, type RecordEditor, useRecordEditor } from "./use-record-editor.ts";

interface RecordTabsProps {
  own: readonly OwnTab[];
  hasHistory: boolean;
  /** The name of the one that is shown. */
  shown: string;
}

/** The views of one record: links, so that each has an address. The form stays where it is while another one is read. */
function RecordTabs({ own, hasHistory, shown }: RecordTabsProps) {
  const { t } = useTranslation();
  const { pathname, state } = useLocation();
  const { toSearch } = useRecordTab();
  const tabs = [
    { name: DETAILS, label: t("history.details") },
    ...own,
    ...(hasHistory ? [{ name: HISTORY, label: t("history.title") }] : []),
  ];
  return (
    <nav className="record-tabs" aria-label={t("history.views")}>
      {tabs.map(({ name, label }) => (
        <Link
          key={name}
          to={{ pathname, search: toSearch(name) }}
          state={state}
          replace
          aria-current={name === shown ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

interface GoneNoticeProps {
  source: RecordSource;
  editor: RecordEditor;
  /** Of fetching the open record again. */
  error: unknown;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was typed as text, for the clipboard. */
function useTypedText(source: RecordSource, editor: RecordEditor): () => string {
  const nameOf = useUnitName();
  return () => {
    const names = editor.listChanged();
    const typed = editor.read();
    const units = listUnits(source).filter(({ field }) => names.includes(field.name));
    return units.map((unit) => `${nameOf(unit)}: ${toText(readUnit(typed, unit.path))}`).join("\n");
  };
}

/** The open record was deleted elsewhere, or may not be read any more; what was typed can still be taken along. */
function GoneNotice({ source, editor, error }: GoneNoticeProps) {
  const { t } = useTranslation();
  const [copy, setCopy] = useState<"none" | "done" | "failed">("none");
  const toTypedText = useTypedText(source, editor);
  if (!isDataError(error) || ![403, 404].includes(error.statusCode)) return null;
  const isDeleted = error.statusCode === 404;
  const copyTyped = () =>
    navigator.clipboard.writeText(toTypedText()).then(
      () => setCopy("done"),
      () => setCopy("failed"),
    );
  return (
    <Alert
      className="form-problems"
      type="warning"
      showIcon
      role="alert"
      message={isDeleted ? t("form.gone.title") : toErrorText(error, t)}
      description={
        <>
          <p>{t("form.gone.text")}</p>
          <div className="form-choices">
            <Button onClick={() => void copyTyped()}>{t("form.gone.copy")}</Button>
            <span role="status">{copy !== "none" && t(`form.gone.${copy}`)}</span>
          </div>
        </>
      }
    />
  );
}

const FORM_ID = "record";

/** Fetched when somebody looks back. A file that is gone does not take the form along. */
const HistoryPanel = lazy<ComponentType<{ source: RecordSource; id: number }>>(() =>
  import("../history/history-panel.tsx").then(
    (file) => ({ default: file.HistoryPanel }),
    () => ({ default: MissingPart }),
  ),
);

export interface RecordEditorViewProps {
  source: RecordSource;
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

/** One record: its form with all that guards what is typed, and its history. Drawers and pages put it where they want it. */
export function RecordEditorView(props: RecordEditorViewProps) {
  const { source, record, copy, etag, error, isJustCreated = false, onCreated, onClose, children } = props;
  const { tab } = useRecordTab();
  const { tabs = [] } = useContext(RecordPartsContext);
  const editor = useRecordEditor({
    source,
    record,
    copy,
    etag,
    isJustCreated,
    onCreated,
    onUpdated: (after) => after === "close" && onClose?.(),
  });
  const hasPast = hasHistory(source);
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
          <HistoryPanel source={source} id={record.id} />
        </Suspense>
      )}
      {record && own && <own.Panel record={record} />}
      <div className="record-form" hidden={!isForm}>
        <GoneNotice source={source} editor={editor} error={error} />
        <RecordForm id={FORM_ID} source={source} record={record} editor={editor} isShown={isForm} />
        {children}
        <FormActions source={source} record={record} editor={editor} onClose={onClose} />
      </div>
      <UnsavedGuard isDirty={() => editor.listChanged().length > 0} onAbandon={editor.abandon} />
      <SessionEnded
        refusal={editor.state.phase.kind === "signedOut" ? editor.state.phase : null}
        onReturn={editor.resume}
      />
    </>
  );
}
