import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons";
import { useUpdate } from "@refinedev/core";
import { Button } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { DataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { toErrorText } from "../ui/errors.tsx";

/** A second click comes sooner than this. */
const REDRAWN_MS = 2000;

/** Keeps objects from the site, or shows them there again; a notice says which, or `onDone` where the caller says it. */
export function useHide(
  { resource, hidden_field: field }: RecordSource,
  onDone?: (record: ModelRecord, isHidden: boolean) => void,
) {
  const { t } = useTranslation();
  const { mutate, mutation } = useUpdate<ModelRecord, DataError, Record<string, unknown>>();
  // A second click may come before the row is drawn as the first one left it: it asks for the same once more.
  const asked = useRef<{ record: ModelRecord; isHidden: boolean } | null>(null);
  return {
    isSaving: mutation.isPending,
    setHidden(record: ModelRecord, isHidden: boolean): void {
      if (field === null || (asked.current?.record === record && asked.current.isHidden === isHidden)) return;
      asked.current = { record, isHidden };
      const { id, repr } = record;
      const successNotification = {
        key: `hide ${resource} ${id}`,
        type: "success",
        message: t(isHidden ? "ordering.hideDone" : "ordering.showDone"),
        description: repr,
      } as const;
      const write = {
        resource,
        id,
        values: { [field]: isHidden },
        successNotification: onDone ? (false as const) : successNotification,
        errorNotification: (error: unknown) => ({
          type: "error" as const,
          message: t(isHidden ? "ordering.hideFailed" : "ordering.showFailed"),
          description: toErrorText(error, t),
        }),
      } satisfies Parameters<typeof mutate>[0];
      mutate(write, {
        onSuccess() {
          onDone?.(record, isHidden);
          // By then the row is drawn anew, or its list could not be asked.
          setTimeout(() => {
            asked.current = null;
          }, REDRAWN_MS);
        },
        onError() {
          asked.current = null;
        },
      });
    },
  };
}

/** Whether the site leaves an object out. */
export function isHiddenRecord({ hidden_field: field }: RecordSource, record: ModelRecord): boolean {
  return field !== null && record[field] === true;
}

interface HideButtonProps {
  source: RecordSource;
  record: ModelRecord;
}

/** Of a row: hides the object from the site, or shows it again. Nothing where the person may not, or the model knows no hiding. */
export function HideButton({ source, record }: HideButtonProps) {
  const { t } = useTranslation();
  const { setHidden, isSaving } = useHide(source);
  if (source.hidden_field === null || !source.permissions.update) return null;
  const isHidden = isHiddenRecord(source, record);
  const Icon = isHidden ? EyeOutlined : EyeInvisibleOutlined;
  return (
    <Button
      type="text"
      icon={<Icon {...DECORATIVE} />}
      loading={isSaving}
      title={t(isHidden ? "ordering.showShort" : "ordering.hideShort")}
      aria-label={t(isHidden ? "ordering.show" : "ordering.hide", { name: record.repr })}
      onClick={() => setHidden(record, !isHidden)}
    />
  );
}
