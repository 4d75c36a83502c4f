import { Modal } from "antd";
import { useTranslation } from "react-i18next";
import type { SampleAnswer } from "#contract/sample.ts";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { SampleCounts } from "./removal.tsx";

interface RemoveDialogProps {
  models: SampleAnswer["models"];
  isRemoving: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks, naming what goes with its counts and what stays. */
export function RemoveDialog({ models, isRemoving, onRemove, onClose }: RemoveDialogProps) {
  const { t, i18n } = useTranslation();
  useReturnedFocus();
  const format = new Intl.NumberFormat(i18n.language);
  const untouched = models.reduce((sum, model) => sum + model.untouched_count, 0);
  const edited = models.reduce((sum, model) => sum + model.edited_count, 0);
  return (
    <Modal
      open
      title={t("sample.confirmTitle", { count: untouched, shown: format.format(untouched) })}
      okText={t("sample.remove")}
      okButtonProps={{ danger: true }}
      confirmLoading={isRemoving}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true, disabled: isRemoving }}
      closable={false}
      maskClosable={!isRemoving}
      keyboard={!isRemoving}
      onOk={onRemove}
      onCancel={onClose}
    >
      <p>{t("sample.confirmText")}</p>
      <SampleCounts counts={models.map((model) => ({ ...model, count: model.untouched_count }))} />
      {edited > 0 && <p>{t("sample.stays", { count: edited, shown: format.format(edited) })}</p>}
      <p className="visually-hidden" role="status">
        {isRemoving && t("sample.removing")}
      </p>
    </Modal>
  );
}
