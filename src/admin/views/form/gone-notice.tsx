import { Alert, Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isDataError } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { listUnits, readUnit } from "./input-units.ts";
import type { RecordEditor } from "./use-record-editor.ts";
import { useUnitName } from "./use-unit-name.ts";

interface GoneNoticeProps {
  model: RecordSource;
  editor: RecordEditor;
  /** Of fetching the open record again. */
  error: unknown;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was typed as text, for the clipboard. */
function useTypedText(model: RecordSource, editor: RecordEditor): () => string {
  const nameOf = useUnitName();
  return () => {
    const names = editor.inputs.changed();
    const typed = editor.inputs.read();
    const units = listUnits(model).filter(({ field }) => names.includes(field.name));
    return units.map((unit) => `${nameOf(unit)}: ${toText(readUnit(typed, unit.path))}`).join("\n");
  };
}

/** The open record was deleted elsewhere, or may not be read any more; what was typed can still be taken along. */
export function GoneNotice({ model, editor, error }: GoneNoticeProps) {
  const { t } = useTranslation();
  const [copy, setCopy] = useState<"none" | "done" | "failed">("none");
  const toTypedText = useTypedText(model, editor);
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
