import { Select } from "antd";
import type { ParseKeys } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { QueryFilter } from "#contract/models.ts";
import type { QuickFilter } from "#resources/record-source.ts";
import { chooseOption, findChosen } from "./filters/quick-filters.tsx";

const ALL = -1;

interface QuickFilterSelectProps {
  quick: QuickFilter;
  filters: readonly QueryFilter[];
  onChange: (filters: readonly QueryFilter[]) => void;
}

/** A choice that stands for filters, such as Status or Access level. */
export function QuickFilterSelect({ quick, filters, onChange }: QuickFilterSelectProps) {
  const { t } = useTranslation();
  const id = useId();
  // Resources are data: their keys are checked by the tests of the locale files.
  const text = (key: string) => t(key as ParseKeys);
  return (
    <span className="quick-filter">
      <label htmlFor={id}>{text(quick.labelKey)}</label>
      <Select
        id={id}
        popupMatchSelectWidth={false}
        value={findChosen(quick, filters)}
        options={[
          { value: ALL, label: t("list.all") },
          ...quick.options.map(({ labelKey }, value) => ({ value, label: text(labelKey) })),
        ]}
        onChange={(at) => onChange(chooseOption(quick, filters, at))}
      />
    </span>
  );
}
