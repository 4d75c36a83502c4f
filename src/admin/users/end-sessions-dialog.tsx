import { useCustomMutation, useNotification } from "@refinedev/core";
import { Modal } from "antd";
import { useTranslation } from "react-i18next";
import { endedSessionsAnswer } from "#contract/accounts/admin-users.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import { toErrorText } from "../ui/errors.tsx";
import { useOneAtATime } from "../ui/timing.ts";

interface EndSessionsDialogProps {
  /** Its `repr` names the person. */
  record: ModelRecord;
  onClose: () => void;
}

/** Says what ending all sessions of somebody does, and does it. */
export function EndSessionsDialog({ record: { id, repr: name }, onClose }: EndSessionsDialogProps) {
  const { t } = useTranslation();
  const { open } = useNotification();
  const { mutateAsync, mutation } = useCustomMutation();

  async function run(): Promise<void> {
    try {
      const { data } = await mutateAsync({
        url: `/api/users/${id}/sessions/`,
        method: "delete",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      const { ended: count } = endedSessionsAnswer.parse(data);
      open?.({ type: "success", message: t("users.endSessions.done", { name, count }) });
    } catch (error) {
      open?.({
        type: "error",
        message: t("users.endSessions.failed"),
        description: toErrorText(error, t),
      });
    }
    onClose();
  }

  const start = useOneAtATime(run);
  return (
    <Modal
      open
      title={t("users.endSessions.title", { name })}
      okText={t("users.endSessions.ok")}
      okButtonProps={{ danger: true }}
      confirmLoading={mutation.isPending}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true }}
      closable={false}
      onOk={start}
      onCancel={onClose}
    >
      <p>{t("users.endSessions.text")}</p>
    </Modal>
  );
}
