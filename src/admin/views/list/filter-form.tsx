import { Button, Select } from "antd";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { FilterValue } from "./filter-value.tsx";
import { isYesNo } from "./filter-value-text.ts";

interface FilterFormProps {
  model: RecordSource;
  /** Fields that can be filtered; at least one. */
  fields: readonly FieldInfo[];
  start: QueryFilter | undefined;
  onApply: (filter: QueryFilter) => void;
  onCancel: () => void;
}

function firstOperator(field: FieldInfo | undefined): FilterOperator {
  return field?.operators[0] ?? "exact";
}

/** Operators whose value is written in a way of its own. */
const OWN_SHAPES: readonly FilterOperator[] = ["isnull", "in", "range"];

/** Whether a value that was typed for one operator says something for another one. */
function hasSameShape(before: FilterOperator, after: FilterOperator): boolean {
  return before === after || !(OWN_SHAPES.includes(before) || OWN_SHAPES.includes(after));
}

/** Field, operator, value. Each field offers the operators that the server named for it. */
export function FilterForm({ model, fields, start, onApply, onCancel }: FilterFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [filter, setFilter] = useState<QueryFilter>(() => {
    const field =
      fields.find(({ name }) => name === start?.field) ??
      fields.find(({ name }) => model.list_columns.includes(name)) ??
      fields[0];
    return start && field?.name === start.field
      ? start
      : { field: field?.name ?? "", operator: firstOperator(field), value: "" };
  });
  const [isEmpty, setEmpty] = useState(false);
  const field = fields.find(({ name }) => name === filter.field);
  const isToggle = isYesNo(field, filter.operator);

  function onFieldChange(name: string): void {
    const next = fields.find((candidate) => candidate.name === name);
    const keepsOperator = next?.operators.includes(filter.operator) ?? false;
    setFilter({ field: name, operator: keepsOperator ? filter.operator : firstOperator(next), value: "" });
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const value = isToggle ? filter.value || "true" : filter.value;
    // A select has no `required` of its own.
    setEmpty(value === "");
    if (value !== "") onApply({ ...filter, value });
  }

  return (
    <form className="filter-form" aria-label={t("list.filter")} onSubmit={onSubmit}>
      <label htmlFor={`${id}-field`}>{t("list.filterField")}</label>
      <Select
        id={`${id}-field`}
        autoFocus
        showSearch
        optionFilterProp="label"
        popupMatchSelectWidth={false}
        value={filter.field}
        options={fields.map(({ name, verbose_name }) => ({ value: name, label: verbose_name }))}
        onChange={onFieldChange}
      />
      <label htmlFor={`${id}-operator`}>{t("list.filterOperator")}</label>
      <Select
        id={`${id}-operator`}
        popupMatchSelectWidth={false}
        value={filter.operator}
        options={(field?.operators ?? []).map((name) => ({ value: name, label: t(`operators.${name}`) }))}
        onChange={(operator) =>
          setFilter({
            ...filter,
            operator,
            value: hasSameShape(filter.operator, operator) ? filter.value : "",
          })
        }
      />
      {filter.operator !== "range" && <label htmlFor={`${id}-value`}>{t("list.filterValue")}</label>}
      <FilterValue
        id={`${id}-value`}
        field={field}
        operator={filter.operator}
        value={filter.value}
        onChange={(value) => setFilter({ ...filter, value })}
      />
      {isEmpty && (
        <p className="control-error" role="alert">
          {t("list.chooseAtLeastOne")}
        </p>
      )}
      <div className="filter-form-actions">
        <Button type="primary" htmlType="submit">
          {t("actions.apply")}
        </Button>
        <Button onClick={onCancel}>{t("actions.cancel")}</Button>
      </div>
    </form>
  );
}
