import { useDelete } from "@refinedev/core";
import { App } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelInfo, ModelRecord } from "#contract/models.ts";
import { objectsResource } from "#resources/objects.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { toErrorText } from "../../parts/error-text.ts";

/** Asks, naming the object, and deletes it. */
export function useDeleteRow(model: ModelInfo): (record: ModelRecord) => void {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { mutateAsync } = useDelete();
  const refreshModels = useRefreshModels();
  const kind = model.verbose_name;

  return ({ id, repr }) => {
    modal.confirm({
      title: t("delete.title", { name: repr }),
      content: t("delete.text", { kind }),
      okText: t("actions.delete"),
      okButtonProps: { danger: true },
      cancelText: t("actions.cancel"),
      autoFocusButton: "cancel",
      async onOk() {
        try {
          await mutateAsync({
            resource: objectsResource(model.content_type_id),
            id,
            successNotification: { type: "success", message: t("delete.done", { name: repr }) },
            errorNotification: (error) => ({
              type: "error",
              message: t("errors.delete"),
              description: toErrorText(error, t),
            }),
          });
          refreshModels();
        } catch {
          // The notice above has said so; the dialog closes and the row stays.
        }
      },
    });
  };
}
