import "./exports.css";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { toSizeText } from "./export-size.ts";
import type { ExportState } from "./use-export.ts";

interface ExportProgressProps {
  state: ExportState & { kind: "running" };
  onCancel: () => void;
}

/** What has arrived so far. Read aloud once: the numbers change five times a second. */
export function ExportProgress({ state, onCancel }: ExportProgressProps) {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const size = toSizeText(state.bytes, lang);
  const count = state.rows ?? 0;
  const shown = new Intl.NumberFormat(lang).format(count);
  return (
    <span className="export-progress">
      <span className="visually-hidden" role="status">
        {t("exports.begun")}
      </span>
      <span>
        {state.rows === undefined
          ? t("exports.running", { size })
          : t("exports.runningRows", { count, shown, size })}
      </span>
      <Button autoFocus onClick={onCancel}>
        {t("exports.cancel")}
      </Button>
    </span>
  );
}
