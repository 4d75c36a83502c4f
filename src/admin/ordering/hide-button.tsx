import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import { isHiddenRecord, useHide } from "./use-hide.ts";

interface HideButtonProps {
  model: RecordSource;
  record: ModelRecord;
}

/** Of a row: hides the object from the site, or shows it again. Nothing where the person may not, or the model knows no hiding. */
export function HideButton({ model, record }: HideButtonProps) {
  const { t } = useTranslation();
  const { setHidden, isSaving } = useHide(model);
  if (model.hidden_field === null || !model.permissions.update) return null;
  const isHidden = isHiddenRecord(model, record);
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
