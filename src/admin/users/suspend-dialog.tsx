import { useUpdate } from "@refinedev/core";
import { Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { DataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ErrorState, toErrorText } from "../ui/errors.tsx";
import { useOneAtATime } from "../ui/timing.ts";
import { useRecord } from "../views/form/use-record.ts";

interface SuspendDialogProps {
  source: RecordSource;
  /** As the list has it; its `repr` names the person. */
  record: ModelRecord;
  onClose: () => void;
}

/** Turns `is_active` over, as of the version that was just read: nobody else's change is written over. */
function useTurnOver(source: RecordSource, { id, repr }: ModelRecord) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useUpdate<ModelRecord, DataError>();
  async function turnOver(isActive: boolean, etag: string | undefined): Promise<void> {
    const done = isActive ? "users.reinstate.done" : "users.suspend.done";
    await mutateAsync({
      resource: source.resource,
      id,
      values: { is_active: isActive },
      meta: { ifMatch: etag },
      successNotification: { type: "success", message: t(done, { name: repr }) },
      errorNotification: (error) => ({
        type: "error",
        message: t("users.failed.update"),
        description: toErrorText(error, t),
      }),
    });
  }
  return { turnOver, isSaving: mutation.isPending, isUntried: mutation.isIdle };
}

/** Says what suspending or reinstating somebody does, and does it. */
export function SuspendDialog({ source, record, onClose }: SuspendDialogProps) {
  const { t } = useTranslation();
  const loaded = useRecord(source, record.id);
  const { turnOver, isSaving, isUntried } = useTurnOver(source, record);
  // What was asked for stays what OK does, also where the record turns over under the pointer.
  const [isActive] = useState(record.is_active !== false);
  const kind = isActive ? "suspend" : "reinstate";
  const isDone = isUntried && loaded.record !== undefined && (loaded.record.is_active !== false) !== isActive;

  async function run(): Promise<void> {
    try {
      await turnOver(!isActive, loaded.etag);
    } catch {
      // The notice has said so; the person's row stays as it is.
    }
    onClose();
  }

  const start = useOneAtATime(run);
  return (
    <Modal
      open
      title={t(`users.${kind}.title`, { name: record.repr })}
      okText={t(`users.${kind}.ok`)}
      okButtonProps={{ danger: isActive, disabled: !loaded.record || isDone }}
      confirmLoading={isSaving}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true }}
      closable={false}
      onOk={start}
      onCancel={onClose}
    >
      {loaded.query.isError ? (
        <ErrorState
          title={t("errors.loadObject")}
          error={loaded.query.error}
          onRetry={() => void loaded.query.refetch()}
        />
      ) : (
        <p role={isDone ? "alert" : undefined}>
          {isDone ? t(`users.${kind}.already`, { name: record.repr }) : t(`users.${kind}.text`)}
        </p>
      )}
    </Modal>
  );
}
