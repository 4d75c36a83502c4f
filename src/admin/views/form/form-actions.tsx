import { CheckCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { useFootHeight } from "../../parts/use-foot-height.ts";
import { DeleteRecord } from "./delete-record.tsx";
import { DuplicateRecord } from "./duplicate-record.tsx";
import { canSave } from "./editable-model.ts";
import type { RecordEditor } from "./use-record-editor.ts";

interface FormActionsProps {
  model: RecordSource;
  record: ModelRecord | null;
  editor: RecordEditor;
  /** Of a form over a list. */
  onClose?: (() => void) | undefined;
}

/** Save, and then stay, close, or go on with the next one. */
function SaveButtons({
  model,
  editor,
  isOverList,
}: {
  model: RecordSource;
  editor: RecordEditor;
  isOverList: boolean;
}) {
  const { t } = useTranslation();
  if (!canSave(model, editor.isNew)) return null;
  return (
    <>
      <Button type="primary" loading={editor.isSaving} onClick={() => editor.submit()}>
        {t("actions.save")}
      </Button>
      {isOverList && editor.isNew && (
        <Button disabled={editor.isSaving} onClick={() => editor.submit("another")}>
          {t("form.saveAndAnother")}
        </Button>
      )}
      {isOverList && !editor.isNew && (
        <Button disabled={editor.isSaving} onClick={() => editor.submit("close")}>
          {t("form.saveAndClose")}
        </Button>
      )}
    </>
  );
}

/** What can be done with the record, and after a save the way to the page that shows it. */
export function FormActions({ model, record, editor, onClose }: FormActionsProps) {
  const { t } = useTranslation();
  const { isSaved } = editor;
  const foot = useFootHeight();
  return (
    <div ref={foot} className="form-actions">
      <SaveButtons model={model} editor={editor} isOverList={onClose !== undefined} />
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
        {editor.draft.isFull && <span className="form-warning">{t("form.draft.full")}</span>}
      </span>
      {isSaved && model.site_path && (
        <a className="view-on-site" href={model.site_path} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")}
        </a>
      )}
      {record && onClose && <DuplicateRecord model={model} record={record} editor={editor} />}
      {record && onClose && (
        <DeleteRecord model={model} record={record} editor={editor} onDeleted={onClose} />
      )}
    </div>
  );
}
