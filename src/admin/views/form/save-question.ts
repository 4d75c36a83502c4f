import { App } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";

/** Asks before inputs are saved that their author may not have thought through; saves at once where there is nothing to ask. */
export function useSaveQuestion(model: RecordSource) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  // The key that saves can be pressed again over the question.
  const isAsking = useRef(false);
  return (inputs: Readonly<Record<string, unknown>>, save: () => void): void => {
    const question = model.toQuestion?.(inputs);
    if (isAsking.current) return;
    if (!question) {
      save();
      return;
    }
    isAsking.current = true;
    let isAgreed = false;
    modal.confirm({
      title: question.title,
      content: question.text,
      okText: question.ok,
      okButtonProps: { danger: true },
      cancelText: t("actions.cancel"),
      autoFocusButton: "cancel",
      onOk() {
        isAgreed = true;
      },
      // Not before: the dialog gives the focus back as it closes, and would take it from the field of a refused value.
      afterClose() {
        isAsking.current = false;
        if (isAgreed) save();
      },
    });
  };
}
