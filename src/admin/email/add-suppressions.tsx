import { StopOutlined } from "@ant-design/icons";
import { useCustomMutation, useInvalidate, useNotification } from "@refinedev/core";
import { Alert, Button, type GetRef, Input, Modal, Radio } from "antd";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { suppressionsAnswer } from "#contract/mail-suppressions.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { SUPPRESSIONS_API } from "#resources/suppressions.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import { toErrorText } from "../parts/error-text.ts";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { ReasonField } from "../views/list/triage/reason-field.tsx";

interface Draft {
  text: string;
  scope: "all" | "optional";
  reason: string;
}

/** Stops mail to what was typed. What is no address stays in the form, the others are done. */
function useAdd(model: RecordSource, onDone: () => void) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useCustomMutation();
  const { open } = useNotification();
  const invalidate = useInvalidate();
  const [fault, setFault] = useState<string>();

  async function add(draft: Draft, change: (part: Partial<Draft>) => void): Promise<void> {
    setFault(undefined);
    try {
      const { data } = await mutateAsync({
        url: `${SUPPRESSIONS_API}/import/`,
        method: "post",
        values: draft,
        successNotification: false,
        errorNotification: false,
      });
      const { message, invalid, invalid_count: count } = suppressionsAnswer.parse(data);
      await invalidate({ resource: model.resource, invalidates: ["list"] });
      open?.({ type: "success", message });
      if (count === 0) return onDone();
      // Where the answer names them all, they are left; else the text stays: what was done is done once more at no cost.
      if (invalid.length === count) change({ text: invalid.join("\n") });
      setFault(t("suppressions.add.invalid", { count, example: invalid[0] }));
    } catch (error) {
      setFault(toErrorText(error, t));
    }
  }
  return { add, fault, isPending: mutation.isPending };
}

function AddDialog({ model, onClose }: { model: RecordSource; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState<Draft>({ text: "", scope: "all", reason: "" });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const { add, fault, isPending } = useAdd(model, onClose);
  const addresses = useRef<GetRef<typeof Input.TextArea>>(null);
  useReturnedFocus();
  const isEmpty = draft.text.trim() === "";
  const isReady = !isEmpty && draft.reason.trim() !== "";
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
      afterOpenChange={(isOpen) => isOpen && addresses.current?.focus()}
      onOk={() => void add(draft, change)}
      onCancel={onClose}
    >
      {fault && <Alert type="error" role="alert" message={fault} />}
      <p>
        <label htmlFor={id}>{t("suppressions.add.addresses")}</label>
        <Input.TextArea
          ref={addresses}
          id={id}
          required
          autoSize={{ minRows: 3, maxRows: 10 }}
          value={draft.text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </p>
      <Radio.Group
        aria-label={t("suppressions.add.scope")}
        value={draft.scope}
        onChange={(event) => change({ scope: event.target.value })}
        options={(["all", "optional"] as const).map((value) => ({
          value,
          label: t(`suppressions.scopes.${value}`),
        }))}
      />
      <ReasonField
        label={t("suppressions.reason")}
        value={draft.reason}
        onChange={(reason) => change({ reason })}
        onConfirm={() => isReady && !isPending && void add(draft, change)}
      />
    </Modal>
  );
}

/** The button above the list, and what it asks. */
export function AddSuppressions({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<StopOutlined {...DECORATIVE} />} onClick={() => setOpen(true)}>
        {t("suppressions.add.label")}
      </Button>
      {isOpen && <AddDialog model={model} onClose={() => setOpen(false)} />}
    </>
  );
}
