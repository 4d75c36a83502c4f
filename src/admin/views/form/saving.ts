import { useCreate, useUpdate } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { DataError } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { Inputs } from "./form-values.ts";

/** The calls behind a save, and what the person is told of their success. */
export function useWrites(model: RecordSource) {
  const { t } = useTranslation();
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: sendCreate, mutation: creation } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: sendUpdate, mutation: updating } = useUpdate<ModelRecord, DataError, Inputs>(notices);
  const { resource } = model;
  const tell = (message: string) => ({ successNotification: { type: "success", message } as const });
  return {
    isSaving: creation.isPending || updating.isPending,
    create: (values: Inputs) => sendCreate({ resource, values, ...tell(t("form.created")) }),
    update: (id: number, values: Inputs, ifMatch: string | undefined) =>
      sendUpdate({ resource, id, values, meta: { ifMatch }, ...tell(t("form.saved")) }),
  };
}
