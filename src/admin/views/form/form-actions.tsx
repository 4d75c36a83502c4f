import { CheckCircleOutlined, CopyOutlined, DeleteOutlined } from "@ant-design/icons";

import { SaveButton } from "@refinedev/antd";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { type RecordSource, toSitePath } from "#resources/record-source.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { useFootHeight } from "../../ui/viewport.ts";
import type { Inputs } from "../kinds/registry.ts";
import { DeleteRow } from "../record-actions/delete-row.tsx";
import { isOpenedFromList, OPENED_FROM_LIST } from "../state/list-context.ts";
import { canCopy, toCopyAddress, toListSearch } from "../state/record-address.ts";
import { canSave } from "./use-record.ts";
import type { RecordEditor } from "./use-record-editor.ts";

interface DuplicateRecordProps {
  source: RecordSource;
  record: ModelRecord;
  editor: RecordEditor;
}

/** Opens the form of a new record with this one's values, and with what is typed here and not saved: saving makes a new one of it. */
function DuplicateRecord({ source, record, editor }: DuplicateRecordProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  if (!canCopy(source)) return null;
  function duplicate(): void {
    const read = editor.read();
    const typed: Inputs = Object.fromEntries(editor.listChanged().map((name) => [name, read[name]]));
    // It goes along: nothing is lost that would have to be asked about.
    editor.abandon();
    const from = isOpenedFromList(state) ? OPENED_FROM_LIST : {};
    const address = toCopyAddress(source, record.id, toListSearch(search));
    void navigate(address, { replace: true, state: { ...from, typed } });
  }
  return (
    <Button
      type="text"
      className="duplicate-record"
      icon={<CopyOutlined {...DECORATIVE} />}
      disabled={editor.isSaving}
      title={t("form.duplicateHelp")}
      onClick={duplicate}
    >
      {t("form.duplicate")}
    </Button>
  );
}

interface DeleteRecordProps {
  source: RecordSource;
  record: ModelRecord;
  editor: RecordEditor;
  onDeleted: () => void;
}

/** Deletes the open record, after the same question as in its list. */
function DeleteRecord({ source, record, editor, onDeleted }: DeleteRecordProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (!source.permissions.delete) return null;
  return (
    <>
      <Button
        danger
        type="text"
        className="delete-record"
        icon={<DeleteOutlined {...DECORATIVE} />}
        onClick={() => setAsking(true)}
      >
        {t("actions.delete")}
      </Button>
      {isAsking && (
        <DeleteRow
          source={source}
          record={record}
          onClose={() => setAsking(false)}
          onDeleted={() => {
            // Nothing asks about what was typed into a record that is gone.
            editor.abandon();
            onDeleted();
          }}
        />
      )}
    </>
  );
}

interface FormActionsProps {
  source: RecordSource;
  record: ModelRecord | null;
  editor: RecordEditor;
  /** Of a form over a list. */
  onClose?: (() => void) | undefined;
}

/** Save, and then stay, close, or go on with the next one. */
function SaveButtons({
  source,
  editor,
  isOverList,
}: {
  source: RecordSource;
  editor: RecordEditor;
  isOverList: boolean;
}) {
  const { t } = useTranslation();
  if (!canSave(source, editor.state.isNew)) return null;
  return (
    <>
      <SaveButton icon={null} loading={editor.isSaving} onClick={() => editor.submit()}>
        {t("actions.save")}
      </SaveButton>
      {isOverList && editor.state.isNew && (
        <Button disabled={editor.isSaving} onClick={() => editor.submit("another")}>
          {t("form.saveAndAnother")}
        </Button>
      )}
      {isOverList && !editor.state.isNew && (
        <Button disabled={editor.isSaving} onClick={() => editor.submit("close")}>
          {t("form.saveAndClose")}
        </Button>
      )}
    </>
  );
}

/** What can be done with the record, and after a save the way to the page that shows it. */
export function FormActions({ source, record, editor, onClose }: FormActionsProps) {
  const { t } = useTranslation();
  const { phase, isStorageFull } = editor.state;
  const isSaved = phase.kind === "saved";
  const foot = useFootHeight();
  const sitePath = toSitePath(source, record);
  return (
    <div ref={foot} className="form-actions">
      <SaveButtons source={source} editor={editor} isOverList={onClose !== undefined} />
      {onClose && (
        <Button className="close-form" onClick={onClose}>
          {t("actions.close")}
        </Button>
      )}
      <span className="form-status" role="status">
        {isSaved && (
          <>
            <CheckCircleOutlined {...DECORATIVE} /> {t("form.saved")}
          </>
        )}
        {isStorageFull && <span className="form-warning">{t("form.draft.full")}</span>}
      </span>
      {isSaved && sitePath && (
        <a className="view-on-site" href={sitePath} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")}
        </a>
      )}
      {record && onClose && <DuplicateRecord source={source} record={record} editor={editor} />}
      {record && onClose && (
        <DeleteRecord source={source} record={record} editor={editor} onDeleted={onClose} />
      )}
    </div>
  );
}
