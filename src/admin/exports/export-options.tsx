import "./exports.css";
import { Modal, Radio, Select, Switch } from "antd";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { EXPORT_FORMATS } from "#contract/content/exports.ts";
import type { ExportChoice } from "./use-export.ts";

interface ExportOptionsProps {
  choice: ExportChoice;
  onChange: (choice: ExportChoice) => void;
  /** Names of the columns that the list shows. */
  shownColumns: readonly string[];
}

/** Only these hold text that a spreadsheet could take for a formula: json has types, and xlsx marks texts as such. */
const GUARDED: readonly ExportChoice["format"][] = ["csv"];

/** What csv alone has a choice for goes with it. */
function forPrograms(choice: ExportChoice, format: ExportChoice["format"]): ExportChoice {
  return { ...choice, format, keepsFormulas: false, isForSpreadsheets: false };
}

/** Whether programs or people read the file. */
function UseOption({ choice, onChange }: Pick<ExportOptionsProps, "choice" | "onChange">) {
  const { t } = useTranslation();
  const id = useId();
  const value = choice.isForSpreadsheets ? "spreadsheets" : "programs";
  return (
    <fieldset className="export-option" aria-describedby={id}>
      <legend>{t("exports.use")}</legend>
      <Radio.Group
        value={value}
        onChange={({ target }) => onChange({ ...choice, isForSpreadsheets: target.value === "spreadsheets" })}
        options={(["programs", "spreadsheets"] as const).map((use) => ({
          value: use,
          label: t(`exports.uses.${use}`),
        }))}
      />
      <p id={id} className="export-help">
        {t(`exports.useHelp.${value}`)}
      </p>
    </fieldset>
  );
}

/** Format, columns, and what becomes of texts that look like formulas. */
export function ExportOptions({ choice, onChange, shownColumns }: ExportOptionsProps) {
  const { t } = useTranslation();
  const id = useId();
  const hasAll = choice.columns.length === 0;
  return (
    <div className="export-options">
      <div className="export-option">
        <label htmlFor={`${id}-format`}>{t("exports.format")}</label>
        <Select
          id={`${id}-format`}
          className="export-format"
          value={choice.format}
          options={EXPORT_FORMATS.map((format) => ({ value: format, label: t(`exports.formats.${format}`) }))}
          onChange={(format) =>
            onChange(format === "csv" ? { ...choice, format } : forPrograms(choice, format))
          }
        />
      </div>
      {choice.format === "csv" && <UseOption choice={choice} onChange={onChange} />}
      <fieldset className="export-option">
        <legend>{t("exports.columns")}</legend>
        <Radio.Group
          value={hasAll ? "all" : "shown"}
          onChange={({ target }) =>
            onChange({ ...choice, columns: target.value === "all" ? [] : ["id", ...shownColumns] })
          }
          options={[
            { value: "all", label: t("exports.allColumns") },
            { value: "shown", label: t("exports.shownColumns", { count: shownColumns.length }) },
          ]}
        />
      </fieldset>
      {GUARDED.includes(choice.format) && (
        <div className="export-option">
          <span className="export-switch">
            <Switch
              id={`${id}-formulas`}
              size="small"
              checked={choice.keepsFormulas}
              aria-describedby={`${id}-guard`}
              onChange={(keepsFormulas) => onChange({ ...choice, keepsFormulas })}
            />
            <label htmlFor={`${id}-formulas`}>{t("exports.keepFormulas")}</label>
          </span>
          <p id={`${id}-guard`} className="export-help">
            {t(choice.keepsFormulas ? "exports.unguarded" : "exports.guarded")}
          </p>
        </div>
      )}
    </div>
  );
}

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
