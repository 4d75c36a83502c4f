import { Select } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { QuerySort } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** The sort that a list is in: the view's own, else the model's. */
export function toCurrentSorts(model: RecordSource, sorts: readonly QuerySort[]): readonly QuerySort[] {
  return sorts.length > 0 ? sorts : model.default_sort;
}

interface SortSelectProps {
  model: RecordSource;
  sorts: readonly QuerySort[];
  onChange: (sorts: readonly QuerySort[]) => void;
}

/** By which field the rows are sorted, and in which order; the headers of the table say and do the same. */
export function SortSelect({ model, sorts, onChange }: SortSelectProps) {
  const { t } = useTranslation();
  const id = useId();
  const fields = model.fields.filter((field) => field.sortable);
  const [current] = toCurrentSorts(model, sorts);
  if (fields.length === 0) return null;
  const setField = (field: string) =>
    onChange(field === "" ? [] : [{ field, direction: current?.direction ?? "asc" }]);
  return (
    <span className="sort-select">
      <label htmlFor={`${id}-field`}>{t("list.sortBy")}</label>
      <Select
        id={`${id}-field`}
        className="sort-field"
        showSearch
        optionFilterProp="label"
        popupMatchSelectWidth={false}
        value={sorts[0]?.field ?? ""}
        options={[
          { value: "", label: t("list.defaultOrder") },
          ...fields.map(({ name, verbose_name }) => ({ value: name, label: verbose_name })),
        ]}
        onChange={setField}
      />
      <Select
        aria-label={t("list.order")}
        popupMatchSelectWidth={false}
        disabled={current === undefined}
        value={current?.direction ?? "asc"}
        options={(["asc", "desc"] as const).map((value) => ({ value, label: t(`list.direction.${value}`) }))}
        onChange={(direction) => current && onChange([{ field: current.field, direction }])}
      />
    </span>
  );
}
