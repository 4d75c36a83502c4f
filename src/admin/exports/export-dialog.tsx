import { Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ExportChoice } from "./export-call.ts";
import { ExportOptions } from "./export-options.tsx";

interface ExportDialogProps {
  /** What the rows are called. */
  name: string;
  shownColumns: readonly string[];
  onExport: (choice: ExportChoice) => void;
  onClose: () => void;
}

/** Format and columns of an export, before it begins. */
export function ExportDialog({ name, shownColumns, onExport, onClose }: ExportDialogProps) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<ExportChoice>({ format: "csv", columns: [], keepsFormulas: false });
  return (
    <Modal
      open
      title={t("exports.optionsTitle", { name })}
      okText={t("exports.export")}
      cancelText={t("actions.cancel")}
      closable={false}
      onOk={() => onExport(choice)}
      onCancel={onClose}
    >
      <ExportOptions choice={choice} onChange={setChoice} shownColumns={shownColumns} />
    </Modal>
  );
}
