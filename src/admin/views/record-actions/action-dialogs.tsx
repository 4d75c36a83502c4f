import "./record-actions.css";
import { Button, type InputRef, Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDialogFocus } from "../../parts/use-dialog-focus.ts";
import { useReturnedFocus } from "../../parts/use-returned-focus.ts";
import { ActionPreview } from "../list/triage/action-preview.tsx";
import { ReasonField } from "../list/triage/reason-field.tsx";
import type { ActionResults, ActionTask, RecordActions } from "./use-record-actions.ts";

/** Names what is about to happen to how many rows. */
function ConfirmDialog({ task, actions }: { task: ActionTask; actions: RecordActions }) {
  const { t } = useTranslation();
  useReturnedFocus();
  const { action, ids, path } = task;
  const question = action.toConfirm?.(ids.length);
  const { field, afterOpenChange } = useDialogFocus<InputRef>();
  const [reason, setReason] = useState("");
  const isMissing = action.reasonLabel !== undefined && reason.trim() === "";
  const isUnderWay = actions.isUnderWay(path);
  const confirm = () => actions.confirm(reason.trim());
  return (
    <Modal
      open
      title={question?.title ?? action.label}
      okText={action.label}
      okButtonProps={{ danger: action.isDanger === true, disabled: isMissing }}
      confirmLoading={isUnderWay}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: action.reasonLabel === undefined }}
      closable={false}
      keyboard={reason === ""}
      maskClosable={reason === ""}
      onOk={confirm}
      onCancel={actions.close}
      afterOpenChange={afterOpenChange}
    >
      <p>{question?.text}</p>
      {action.preview && <ActionPreview preview={action.preview} ids={ids} />}
      {action.reasonLabel && (
        <ReasonField
          ref={field}
          label={action.reasonLabel}
          value={reason}
          onChange={setReason}
          onConfirm={() => !isUnderWay && confirm()}
        />
      )}
    </Modal>
  );
}

/** How many rows were done, and of each other one why not. */
function ResultsDialog({
  results: { failed: title, names, isSelected, results },
  onClose,
}: {
  results: ActionResults;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  useReturnedFocus();
  const failed = results.filter(({ ok }) => !ok);
  const noted = results.filter(({ ok, message }) => ok && message !== null && message !== "");
  const doneCount = results.length - failed.length;
  const sections = [
    { heading: t("list.batch.failedRows", { count: failed.length }), entries: failed },
    { heading: t("list.batch.notedRows", { count: noted.length }), entries: noted },
  ];
  return (
    <Modal
      open
      title={title}
      closable={false}
      onCancel={onClose}
      footer={
        <Button type="primary" autoFocus onClick={onClose}>
          {t("actions.close")}
        </Button>
      }
    >
      <p>{t("list.batch.counts", { done: doneCount, failed: failed.length })}</p>
      {sections.map(
        ({ heading, entries }) =>
          entries.length > 0 && (
            <section key={heading} className="batch-results">
              <h2>{heading}</h2>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard */}
              <ul tabIndex={0} aria-label={heading}>
                {entries.map(({ id, message }) => (
                  <li key={id}>
                    <strong>{names.get(id) ?? `#${id}`}</strong>: {message || t("errors.operation")}
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {isSelected && <p>{t("list.batch.stillSelected")}</p>}
    </Modal>
  );
}

/** What the actions of a list ask, and what came of them. */
export function ActionDialogs({ actions }: { actions: RecordActions }) {
  const { asked, results, close } = actions;
  return (
    <>
      {asked && <ConfirmDialog task={asked} actions={actions} />}
      {results && <ResultsDialog results={results} onClose={close} />}
    </>
  );
}
