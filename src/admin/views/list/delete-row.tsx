import { useDelete } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { useOneAtATime } from "../../parts/use-one-at-a-time.ts";
import { useDependents } from "../record-actions/delete-row.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";

interface DeleteRowProps {
  model: RecordSource;
  record: ModelRecord;
  onClose: () => void;
  /** It is gone; called after `onClose`. */
  onDeleted?: () => void;
}

/** Asks, naming the object and what goes along, and deletes it. */
export function DeleteRow({ model, record, onClose, onDeleted }: DeleteRowProps) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useDelete();
  const refreshModels = useRefreshModels();
  const found = useDependents(model, record);
  const { id, repr } = record;

  async function remove(): Promise<void> {
    let isDeleted = false;
    try {
      await mutateAsync({
        resource: model.resource,
        id,
        successNotification: { type: "success", message: t("delete.done", { name: repr }) },
        errorNotification: (error) => ({
          type: "error",
          message: model.texts?.deleteFailed ?? t("errors.delete"),
          description: toErrorText(error, t),
        }),
      });
      isDeleted = true;
      refreshModels();
    } catch {
      // The notice above has said so; the dialog closes and the row stays.
    }
    onClose();
    if (isDeleted) onDeleted?.();
  }

  const start = useOneAtATime(remove);
  return (
    <DeleteDialog
      model={model}
      record={record}
      found={found}
      isDeleting={mutation.isPending}
      onDelete={start}
      onClose={onClose}
    />
  );
}
