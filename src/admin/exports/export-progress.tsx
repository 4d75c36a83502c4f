import "./exports.css";
import { Button } from "antd";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { type ExportState, toSizeText } from "./use-export.ts";

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

/**
 * The button that cancels an export goes with its end, and its focus would be lost to the top of the page. The one that starts
 * the next one takes it, unless somebody has gone elsewhere meanwhile.
 */
export function useFocusBack(isRunning: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    const hasEnded = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (hasEnded && document.activeElement === document.body) button.current?.focus();
  }, [isRunning]);
  return button;
}
