import { Switch } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useHide } from "./use-hide.ts";

interface ShownSwitchProps {
  model: RecordSource;
  record: ModelRecord;
  isHidden: boolean;
  onDone: (record: ModelRecord, isHidden: boolean) => void;
}

/** On: the site shows the object. Nothing where the model knows no hiding. */
export function ShownSwitch({ model, record, isHidden, onDone }: ShownSwitchProps) {
  const { t } = useTranslation();
  const { setHidden, isSaving } = useHide(model, onDone);
  if (model.hidden_field === null) return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: antd's switch is a button inside of it
    <label className="order-shown">
      <span className={isHidden ? "order-hidden" : undefined}>
        {t(isHidden ? "ordering.hidden" : "ordering.shownShort")}
      </span>
      <Switch
        checked={!isHidden}
        loading={isSaving}
        aria-label={t("ordering.shown", { name: record.repr })}
        onChange={(isShown) => setHidden(record, !isShown)}
      />
    </label>
  );
}
