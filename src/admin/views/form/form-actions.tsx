import { CheckCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { canSave } from "./editable-model.ts";
import type { RecordEditor } from "./use-record-editor.ts";

interface FormActionsProps {
  formId: string;
  model: RecordSource;
  editor: RecordEditor;
  /** The record was made a moment ago, by a form that has given way to this one. */
  isJustCreated: boolean;
  onClose?: () => void;
}

/** Save and close, and after a save the way to the page that shows it. */
export function FormActions({ formId, model, editor, isJustCreated, onClose }: FormActionsProps) {
  const { t } = useTranslation();
  const isSaved = editor.isSaved || (isJustCreated && !editor.isDirty());
  return (
    <div className="form-actions">
      {canSave(model, editor.isNew) && (
        <Button type="primary" htmlType="submit" form={formId} loading={editor.isSaving}>
          {t("actions.save")}
        </Button>
      )}
      {onClose && <Button onClick={onClose}>{t("actions.close")}</Button>}
      <span className="form-status" role="status">
        {isSaved && (
          <>
            <CheckCircleOutlined {...DECORATIVE} /> {t("form.saved")}
          </>
        )}
      </span>
      {isSaved && model.site_path && (
        <a href={model.site_path} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")}
        </a>
      )}
    </div>
  );
}
