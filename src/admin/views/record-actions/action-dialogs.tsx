import "./record-actions.css";
import { useCustom } from "@refinedev/core";
import { Button, Input, type InputRef, Modal } from "antd";
import { type Ref, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { batchAnswer } from "#contract/content/bulk.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import type { BatchAction } from "#resources/record-source.ts";
import { useDialogFocus, useReturnedFocus } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
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

/** How many rows each remark is of, the most frequent first. */
function countRemarks(results: readonly { message: string | null }[]) {
  const counts = new Map<string, number>();
  for (const { message } of results) if (message) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

interface ActionPreviewProps {
  preview: NonNullable<BatchAction["preview"]>;
  ids: readonly number[];
}

/** What would become of the rows, as the server tries it out; nothing where it can't. */
function ActionPreview({ preview: { path, idsName }, ids }: ActionPreviewProps) {
  const { t } = useTranslation();
  const { query } = useCustom({
    url: path,
    method: "post",
    config: { payload: { [idsName]: ids } },
    queryOptions: { staleTime: 0, gcTime: 0, select: ({ data }) => ({ data: batchAnswer.parse(data) }) },
    errorNotification: false,
  });
  const { error } = query;
  if (isDataError(error) && error.statusCode === 404) return null;
  if (error) return <p role="status">{t("list.batch.previewFailed", { reason: toErrorText(error, t) })}</p>;
  const answer = batchAnswer.safeParse(query.data?.data).data;
  if (!answer) return <p role="status">{t("list.batch.previewLoading")}</p>;
  const { results = [] } = answer;
  if (results.length === 0) return null;
  const [only] = results.length === 1 ? results : [];
  if (only?.message) return <p role="status">{t("list.batch.previewOne", { text: only.message })}</p>;
  return (
    <div role="status">
      <p>{t("list.batch.preview", { count: results.filter(({ ok }) => ok).length })}</p>
      <ul>
        {countRemarks(results).map(([reason, count]) => (
          <li key={reason}>{t("list.batch.previewLeft", { count, reason })}</li>
        ))}
      </ul>
    </div>
  );
}

const MAX_CHARS = 500;

interface ReasonFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter was pressed and there is a reason. */
  onConfirm: () => void;
  ref?: Ref<InputRef>;
}

/** Why something is done, for whoever reads the log later. */
export function ReasonField({ label, value, onChange, onConfirm, ref }: ReasonFieldProps) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        ref={ref}
        required
        maxLength={MAX_CHARS}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPressEnter={() => value.trim() !== "" && onConfirm()}
      />
    </p>
  );
}
