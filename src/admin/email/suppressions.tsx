import "./suppressions.css";
import { StopOutlined } from "@ant-design/icons";
import { useCustomMutation, useInvalidate } from "@refinedev/core";
import { Alert, Button, Input, Modal, Radio } from "antd";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  FORGOTTEN_MARK,
  IMPORT_MAX_CHARS,
  type ImportRequest,
  type SuppressionsAnswer,
  suppressionsAnswer,
} from "#contract/mail/suppressions.ts";
import { toSendStopped } from "#resources/mails.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { SUPPRESSIONS_API } from "#resources/suppressions.ts";
import { DECORATIVE, useDialogFocus, useReturnedFocus } from "../ui/accessibility.ts";
import { toDayEnd, toLocalDay } from "../ui/days.ts";
import { toErrorText } from "../ui/errors.tsx";
import { EmailText } from "../ui/person.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ReasonField } from "../views/record-actions/action-dialogs.tsx";
import { useFollowUps } from "../views/record-actions/follow-ups.tsx";
import { AddressesField, type TextAreaRef } from "./addresses-field.tsx";

/** Enough of a hash to tell two rows apart. */
const HASH_CHARS_SHOWN = 9;

/** The address, or that it was a deleted account's, which nobody can read any more. */
function AddressCell({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const address = typeof value === "string" ? value : "";
  if (!address.startsWith(FORGOTTEN_MARK)) return <EmailText email={address} />;
  const mark = address.slice(0, HASH_CHARS_SHOWN);
  return <span title={t("suppressions.forgotten.help")}>{t("suppressions.forgotten.label", { mark })}</span>;
}

export const SUPPRESSION_CELLS: RowCells = { address: AddressCell };

interface Draft extends Pick<ImportRequest, "text" | "scope" | "reason"> {
  /** The last day where the person is; "" for good. */
  until: string;
}

/** Keeps the input at years of four digits, as they travel. */
const LAST_DAY = "9999-12-30";

/** Stops mails to what was typed. What is no address stays in the form, the others are done. */
function useAdd(onDone: (answer: SuppressionsAnswer) => void) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useCustomMutation();
  const [fault, setFault] = useState<string>();

  /** @returns whether all is done. */
  async function add(draft: Draft, change: (part: Partial<Draft>) => void): Promise<boolean> {
    setFault(undefined);
    const { until, ...rest } = draft;
    const values: ImportRequest = { ...rest, expires_at: until === "" ? null : toDayEnd(until) };
    try {
      const { data } = await mutateAsync({
        url: `${SUPPRESSIONS_API}/import/`,
        method: "post",
        values,
        successNotification: false,
        errorNotification: false,
      });
      const answer = suppressionsAnswer.parse(data);
      onDone(answer);
      const { invalid, invalid_count: count } = answer;
      if (count === 0) return true;
      // Where the answer names them all, they are left; else the text stays: what was done is done once more at no cost.
      if (invalid.length === count) change({ text: invalid.join("\n") });
      setFault(t("suppressions.add.invalid", { count, example: invalid[0] }));
    } catch (error) {
      setFault(toErrorText(error, t));
    }
    return false;
  }
  return { add, fault, isPending: mutation.isPending };
}

interface UntilProps {
  value: string;
  isOver: boolean;
  onChange: (value: string) => void;
}

function UntilField({ value, isOver, onChange }: UntilProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{t("suppressions.add.until")}</label>
      <Input
        id={id}
        className="suppressions-until"
        type="date"
        min={toLocalDay(new Date())}
        max={LAST_DAY}
        status={isOver ? "error" : ""}
        aria-describedby={isOver ? `${id}-over` : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {isOver && (
        <span id={`${id}-over`} role="alert" className="suppressions-fault">
          {t("suppressions.add.over")}
        </span>
      )}
    </p>
  );
}

interface AddDialogProps {
  /** Addresses were stopped, and the dialog may stay open. */
  onDone: () => void;
  /** `done`: the latest call that stopped any; undefined: none was made. */
  onClose: (done: SuppressionsAnswer | undefined) => void;
}

function AddDialog({ onDone, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({ text: "", scope: "all", reason: "", until: "" });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  // Said when the dialog is gone: until then a notice would cover it on a phone.
  const done = useRef<SuppressionsAnswer>(undefined);
  const close = () => onClose(done.current);
  const { add, fault, isPending } = useAdd((answer) => {
    if (answer.success || !done.current) done.current = answer;
    onDone();
  });
  const { field, afterOpenChange } = useDialogFocus<TextAreaRef>();
  useReturnedFocus();
  const { text, reason, until } = draft;
  const isEmpty = text.trim() === "";
  const isOver = until !== "" && until < toLocalDay(new Date());
  const isReady = !isEmpty && text.length <= IMPORT_MAX_CHARS && reason.trim() !== "" && !isOver;
  const confirm = () => void add(draft, change).then((isDone) => isDone && close());
  return (
    <Modal
      open
      title={t("suppressions.add.title")}
      okText={t("suppressions.add.confirm")}
      okButtonProps={{ danger: true, disabled: !isReady }}
      confirmLoading={isPending}
      cancelText={t("actions.cancel")}
      closable={false}
      maskClosable={false}
      keyboard={isEmpty}
      onOk={confirm}
      onCancel={close}
      afterOpenChange={afterOpenChange}
    >
      {fault && <Alert type="error" role="alert" message={fault} />}
      <AddressesField ref={field} value={text} onChange={(next) => change({ text: next })} />
      <Radio.Group
        aria-label={t("suppressions.add.scope")}
        value={draft.scope}
        onChange={(event) => change({ scope: event.target.value })}
        options={(["all", "optional"] as const).map((value) => ({
          value,
          label: t(`suppressions.scopes.${value}`),
        }))}
      />
      <UntilField value={until} isOver={isOver} onChange={(next) => change({ until: next })} />
      <ReasonField
        label={t("suppressions.reason")}
        value={reason}
        onChange={(next) => change({ reason: next })}
        onConfirm={() => isReady && !isPending && confirm()}
      />
    </Modal>
  );
}

/** The button above the list, and what it asks. */
export function AddSuppressions({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const invalidate = useInvalidate();
  const [isOpen, setOpen] = useState(false);
  const readAgain = () => invalidate({ resource: source.resource, invalidates: ["resourceAll"] });
  const sayDone = useFollowUps({ readAgain });
  function close(done: SuppressionsAnswer | undefined): void {
    setOpen(false);
    if (done) sayDone(done.message, done, (undone) => toSendStopped(undone, t));
  }
  return (
    <>
      <Button icon={<StopOutlined {...DECORATIVE} />} onClick={() => setOpen(true)}>
        {t("suppressions.add.label")}
      </Button>
      {isOpen && <AddDialog onDone={() => void readAgain()} onClose={close} />}
    </>
  );
}
